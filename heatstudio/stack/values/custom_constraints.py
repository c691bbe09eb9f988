"""Custom constraints that can be checked without a cloud (heat/engine/constraint/common_constraints.py)."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache
from importlib import import_module

from heatstudio.stack.values.network_address import cidr_fault, ip_address_fault, is_mac_address, subnet_fault

_KEYSTONE = "keystone."
_FQDN_LENGTH = 255
_LABEL = re.compile(r"[a-z0-9-]{1,63}$")
_DIGITS = re.compile(r"^[0-9]+$")


def custom_violation(name: str, value: object) -> str | None:
    """Return Heat's message if `value` violates the custom constraint `name` regardless of the cloud.

    Heat rejects an empty name without asking Keystone (heat/engine/clients/os/keystone/keystone_constraints.py).
    """
    if value == "" and name.startswith(_KEYSTONE):
        return f"Error validating value '': The Keystone{name.removeprefix(_KEYSTONE).title()} () could not be found."
    find_fault = _FAULTS.get(name)
    is_absent = not value and name in _MAY_BE_EMPTY
    reason = find_fault(value) if find_fault is not None and not is_absent else None
    if reason is None:
        return None
    return f"Error validating value '{value}': {reason}" if reason else f"Error validating value '{value}'"


def _text(value: object) -> str:
    """Return the value as a string; it already is one, because properties are converted first."""
    return value if isinstance(value, str) else str(value)


def _ip_address_fault(value: object) -> str | None:
    return "Invalid IP address" if not isinstance(value, str) or ip_address_fault(value) else None


def _ip_or_cidr_fault(value: object) -> str | None:
    text = _text(value)
    return (subnet_fault(text) if "/" in text else ip_address_fault(text)) or None


def _mac_fault(value: object) -> str | None:
    return None if isinstance(value, str) and is_mac_address(value) else "Invalid MAC address."


def _dns_name_fault(value: object) -> str | None:
    text = _text(value)
    fault = _dns_fault(text) if text else None
    return f"'{text}' not in valid format. Reason: {fault}" if fault else None


def _dns_fault(text: str) -> str | None:
    trimmed = text.removesuffix(".")
    if len(trimmed) > _FQDN_LENGTH:
        return f"'{trimmed}' exceeds the {_FQDN_LENGTH} character FQDN limit"
    labels = trimmed.split(".")
    for label in labels:
        if not label:
            return "Encountered an empty component."
        if label.endswith("-") or label.startswith("-"):
            return f"Name '{label}' must not start or end with a hyphen."
        if not _LABEL.match(label):
            return f"Name '{label}' must be 1-63 characters long, each of which can only be alphanumeric or a hyphen."
    if text.endswith(".") and len(labels) > 1 and _DIGITS.match(labels[-1]):
        return f"TLD '{labels[-1]}' must not be all numeric."
    return None


def _relative_dns_name_fault(value: object) -> str | None:
    text = _text(value)
    if text.endswith("."):
        return f"'{text}' is a FQDN. It should be a relative domain name."
    if len(text) > _FQDN_LENGTH - 3:
        return (
            f"'{text}' contains '{len(text)}' characters. Adding a domain name will cause it to exceed the "
            f"maximum length of a FQDN of '{_FQDN_LENGTH}'."
        )
    return _dns_name_fault(text)


def _dns_domain_fault(value: object) -> str | None:
    text = _text(value)
    is_relative = bool(text) and not text.endswith(".")
    return _dns_name_fault(text) or (f"'{text}' must end with '.'." if is_relative else None)


_ISO_8601 = re.compile(
    r"(?P<year>[0-9]{4})"
    r"((-(?P<month_1>[0-9]{1,2})|(?P<month_2>[0-9]{2})(?!$))"
    r"((-(?P<day_1>[0-9]{1,2})|(?P<day_2>[0-9]{2}))"
    r"([ T](?P<hour>[0-9]{2})(:?(?P<minute>[0-9]{2}))?"
    r"(:?(?P<second>[0-9]{1,2})([.,](?P<fraction>[0-9]+))?)?"
    r"(Z|(?P<sign>[-+])(?P<zone_hour>[0-9]{2}):?(?P<zone_minute>[0-9]{2})?)?)?)?)?$"
)


def parse_iso_8601(text: str) -> datetime:
    """Return the date and time in a string, in UTC if it has no zone. Raise ValueError if it is invalid."""
    found = _ISO_8601.match(text)
    if found is None:
        raise ValueError(f"Unable to parse date string {text!r}")
    part = {name: value for name, value in found.groupdict().items() if value is not None}
    zone = UTC
    if "sign" in part:
        offset = timedelta(hours=int(part["zone_hour"]), minutes=int(part.get("zone_minute", 0)))
        zone = timezone(-offset if part["sign"] == "-" else offset)
    return datetime(
        int(part["year"]),
        int(part.get("month_1", part.get("month_2", 1))),
        int(part.get("day_1", part.get("day_2", 1))),
        int(part.get("hour", 0)),
        int(part.get("minute", 0)),
        int(part.get("second", 0)),
        int(Decimal(f"0.{part.get('fraction', 0)}") * 1_000_000),
        zone,
    )


def _iso_8601_fault(value: object) -> str | None:
    try:
        parse_iso_8601(_text(value))
    except ValueError:
        return ""
    return None


def _expiration_fault(value: object) -> str | None:
    try:
        moment = parse_iso_8601(_text(value).strip())
        if moment.replace(tzinfo=None) - (moment.utcoffset() or timedelta()) <= datetime.now(UTC).replace(tzinfo=None):
            return f"Expiration {value} is invalid: Expiration time is out of date."
    except (ValueError, OverflowError) as error:
        return f"Expiration {value} is invalid: {error}"
    return None


def _timezone_fault(value: object) -> str | None:
    """Check a time zone, unless the system has no time zone data."""
    import zoneinfo

    if not _has_time_zones():
        return None
    try:
        zoneinfo.ZoneInfo(_text(value))
    except (ValueError, OSError, KeyError) as error:
        return f"Invalid timezone: {error}"
    return None


@cache
def _has_time_zones() -> bool:
    import zoneinfo

    return bool(zoneinfo.available_timezones())


def _json_fault(value: object) -> str | None:
    try:
        json.loads(_text(value))
    except ValueError as error:
        return f"JSON string {value} is invalid: {error}"
    return None


def _cron_fault(value: object) -> str | None:
    """Check a cron expression with croniter, Heat's library with its own dialect, if it is installed."""
    try:
        import_module("croniter").croniter(_text(value))
    except ImportError:
        return None
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
        return f"Invalid CRON expression: {error}"
    return None


_MAY_BE_EMPTY = ("cron_expression", "expiration", "json_string", "timezone")
_FAULTS: dict[str, Callable[[object], str | None]] = {
    "cron_expression": _cron_fault,
    "dns_domain": _dns_domain_fault,
    "dns_name": _dns_name_fault,
    "expiration": _expiration_fault,
    "ip_addr": _ip_address_fault,
    "ip_or_cidr": _ip_or_cidr_fault,
    "iso_8601": _iso_8601_fault,
    "json_string": _json_fault,
    "mac_addr": _mac_fault,
    "net_cidr": lambda value: cidr_fault(_text(value)),
    "rel_dns_name": _relative_dns_name_fault,
    "timezone": _timezone_fault,
}
