"""Addresses and networks, read as netaddr, neutron-lib and oslo.utils read them."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

_TWO_MASKS = "IPAddress() does not support netmasks or subnet prefixes! See documentation for details."


def ip_address_fault(text: str) -> str | None:
    """Why neutron-lib refuses a string as an IP address (validate_ip_address)."""
    if re.search(r"\s", text):
        return f"'{text}' is not a valid IP address"
    if ":" in text:
        return None if _packed_v6(text) is not None else f"'{text}' is not a valid IP address"
    plain = _without_leading_zeros(text)
    if plain is None or text.count(".") != 3:
        return f"'{text}' is not a valid IP address"
    return None if plain == text else f"'{text}' is not an accepted IP address, '{plain}' is recommended"


def is_ip_address(text: str) -> bool:
    """Whether oslo.utils' is_valid_ip accepts a string: also short forms as inet_aton reads them, and IPv6 scopes."""
    if ":" not in text:
        return _is_any_v4(text)
    address, percent, scope = text.rpartition("%")
    return _packed_v6(address) is not None and len(scope) in range(1, 16) if percent else _packed_v6(text) is not None


def _is_any_v4(text: str) -> bool:
    """Whether the C function inet_aton reads a string: one to four numbers, the last one filling up the rest."""
    written = re.match(r"[0-9a-fA-FxX.]+(?=[ \t\n\v\f\r]|\Z)", text)
    parts = written[0].split(".") if written else []
    numbers = [_c_number(part) for part in parts]
    if not 1 <= len(numbers) <= 4:
        return False
    limits = [256] * (len(numbers) - 1) + [256 ** (5 - len(numbers))]
    return all(number is not None and number < limit for number, limit in zip(numbers, limits, strict=True))


def _c_number(text: str) -> int | None:
    """A number as C writes it: hexadecimal after 0x, octal after 0."""
    base = 16 if text[:2] in ("0x", "0X") else 8 if text[:1] == "0" else 10
    try:
        return int(text, base) if base != 8 or text.isdecimal() else None
    except ValueError:
        return None


def _without_leading_zeros(text: str) -> str | None:
    """The IPv4 address that a string spells when every part is read as decimal number."""
    try:
        return str(IPv4Address(".".join(str(int(part)) for part in text.split("."))))
    except ValueError:
        return None


def _packed_v4(text: str) -> bytes | None:
    try:
        return IPv4Address(text).packed
    except ValueError:
        return None


def _packed_v6(text: str) -> bytes | None:
    try:
        return None if "%" in text else IPv6Address(text).packed
    except ValueError:
        return None


def subnet_fault(text: str) -> str | None:
    """Why neutron-lib refuses a string as a subnet (validate_subnet)."""
    fault = f"'{text}' is not a valid IP subnet"
    if re.search(r"\s", text) or "/" not in text:
        return fault
    address, _, mask = text.partition("/")
    packed = _packed_v6(address) if ":" in address else _packed_v4(address)
    if packed is None:
        return fault
    length = _prefix_length(mask, len(packed) * 8)
    if length is None or (len(packed) == 4 and f"{address}/{length}" != text):
        return fault
    return None


def _prefix_length(mask: str, width: int) -> int | None:
    """The length of a prefix given as a number, a netmask or a hostmask."""
    try:
        length = int(mask)
    except ValueError:
        packed = _packed_v4(mask) if width == 32 else _packed_v6(mask)
        return None if packed is None else _mask_length(int.from_bytes(packed), width)
    return length if 0 <= length <= width else None


def _mask_length(mask: int, width: int) -> int | None:
    everything = (1 << width) - 1
    host = mask ^ everything
    if host & (host + 1) == 0:
        return width - host.bit_length()
    return width - mask.bit_length() if mask & (mask + 1) == 0 else None


def cidr_fault(text: str) -> str | None:
    """Why Heat refuses a string as a network in CIDR notation."""
    try:
        verbose = _with_prefix(text)
    except IndexError as error:
        return f"Invalid net cidr {error} "
    if not _is_network(verbose):
        reason = _TWO_MASKS if _has_two_masks(verbose) else f"invalid IPNetwork {verbose}"
        return f"Invalid net cidr {reason} "
    return subnet_fault(text)


def _has_two_masks(text: str) -> bool:
    address, _, mask = text.partition("/")
    return "/" in mask and _is_network(address)


def _is_network(text: str) -> bool:
    """Whether netaddr's IPNetwork reads a string."""
    address, slash, mask = text.partition("/")
    packed = _packed_v6(address) if ":" in address else _packed_v4(address)
    return packed is not None and (not slash or _prefix_length(mask, len(packed) * 8) is not None)


def _with_prefix(text: str) -> str:
    """An abbreviated IPv4 network filled up by the old address classes; anything else as it is."""
    if ":" in text or not text:
        return text
    try:
        octet = int(text)
    except ValueError:
        return _filled_up(text)
    length = _class_prefix(octet)
    return text if length is None else f"{octet}.0.0.0/{length}"


def _filled_up(text: str) -> str:
    address, slash, prefix = text.partition("/")
    parts = address.split(".")
    if len(parts) > 4:
        return text
    parts += ["0"] * (4 - len(parts))
    try:
        number = int(prefix if slash else parts[0])
    except ValueError:
        return text
    if slash:
        return f"{'.'.join(parts)}/{prefix}" if 0 <= number <= 32 else text
    length = _class_prefix(number)
    if length is None:
        raise IndexError(f"Invalid octet: {number}!")
    return f"{'.'.join(parts)}/{length}"


def _class_prefix(octet: int) -> int | None:
    for end, length in ((-1, None), (127, 8), (191, 16), (223, 24), (239, 4), (255, 32)):
        if octet <= end:
            return length
    return None
