"""Validation of network addresses as in Heat, with netaddr and the rules of neutron-lib and oslo.utils."""

import re

import netaddr


def ip_address_fault(text: str) -> str | None:
    """Return the reason why neutron-lib rejects an IP address, or None (validators.validate_ip_address)."""
    fault = f"'{text}' is not a valid IP address"
    if re.search(r"\s", text) or (":" not in text and text.count(".") != 3):
        return fault
    try:
        address = netaddr.IPAddress(text, flags=0 if ":" in text else netaddr.ZEROFILL)
    except (ValueError, netaddr.AddrFormatError):
        return fault
    if address.version == 4 and str(address) != text:
        return f"'{text}' is not an accepted IP address, '{address}' is recommended"
    return None


def is_ip_address(text: str) -> bool:
    """Return whether oslo.utils' is_valid_ip accepts a string, including short forms of inet_aton and IPv6 scopes."""
    address, percent, scope = text.rpartition("%") if "%" in text else (text, "", "")
    if percent and len(scope) not in range(1, 16):
        return False
    return bool(text) and (
        netaddr.valid_ipv4(text, netaddr.INET_ATON) or netaddr.valid_ipv6(address, netaddr.INET_PTON)
    )


def subnet_fault(text: str) -> str | None:
    """Return the reason why neutron-lib rejects a subnet, or None (validators.validate_subnet)."""
    fault = f"'{text}' is not a valid IP subnet"
    if re.search(r"\s", text) or "/" not in text:
        return fault
    try:
        network = netaddr.IPNetwork(text)
    except (ValueError, netaddr.AddrFormatError):
        return fault
    return fault if network.version == 4 and str(network) != text else None


def cidr_fault(text: str) -> str | None:
    """Return the reason why Heat rejects a network in CIDR notation, or None (common_constraints.CIDRConstraint)."""
    try:
        netaddr.IPNetwork(netaddr.cidr_abbrev_to_verbose(text))
    except (ValueError, IndexError, netaddr.AddrFormatError) as error:
        return f"Invalid net cidr {error} "
    return subnet_fault(text)


def is_mac_address(text: str) -> bool:
    """Return whether netaddr reads a string as a MAC address."""
    return bool(netaddr.valid_mac(text))
