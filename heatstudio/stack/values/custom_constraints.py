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


class _RefusedError(ValueError):
    """An error for a violation of a custom constraint, with Heat's reason."""


def custom_violation(name: str, value: object) -> str | None:
    """Return Heat's message if `value` violates the custom constraint `name` regardless of the cloud.

    Heat rejects an empty name without asking Keystone (heat/engine/clients/os/keystone/keystone_constraints.py).
    """
    if value == "" and name.startswith(_KEYSTONE):
        return f"Error validating value '': The Keystone{name.removeprefix(_KEYSTONE).title()} () could not be found."
    check = _CHECKS.get(name)
    if check is None:
        return None
    try:
        check(value)
    except _RefusedError as refused:
        reason = str(refused)
        return f"Error validating value '{value}': {reason}" if reason else f"Error validating value '{value}'"
    return None


def _text(value: object) -> str:
    """Return the value as a string; it already is one, because properties are converted first."""
    return value if isinstance(value, str) else str(value)


def _check_ip_address(value: object) -> None:
    if not isinstance(value, str) or ip_address_fault(value):
        raise _RefusedError("Invalid IP address")


def _check_cidr(value: object) -> None:
    fault = cidr_fault(_text(value))
    if fault is not None:
        raise _RefusedError(fault)


def _check_ip_or_cidr(value: object) -> None:
    text = _text(value)
    fault = subnet_fault(text) if "/" in text else ip_address_fault(text)
    if fault:
        raise _RefusedError(fault)


def _check_mac(value: object) -> None:
    if not isinstance(value, str) or not is_mac_address(value):
        raise _RefusedError("Invalid MAC address.")


def _check_dns_name(value: object) -> None:
    text = _text(value)
    fault = _dns_fault(text) if text else None
    if fault:
        raise _RefusedError(f"'{text}' not in valid format. Reason: {fault}")


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


def _check_relative_dns_name(value: object) -> None:
    text = _text(value)
    if text.endswith("."):
        raise _RefusedError(f"'{text}' is a FQDN. It should be a relative domain name.")
    if len(text) > _FQDN_LENGTH - 3:
        raise _RefusedError(
            f"'{text}' contains '{len(text)}' characters. Adding a domain name will cause it to exceed the "
            f"maximum length of a FQDN of '{_FQDN_LENGTH}'."
        )
    _check_dns_name(text)


def _check_dns_domain(value: object) -> None:
    text = _text(value)
    _check_dns_name(text)
    if text and not text.endswith("."):
        raise _RefusedError(f"'{text}' must end with '.'.")


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


def _check_iso_8601(value: object) -> None:
    try:
        parse_iso_8601(_text(value))
    except ValueError:
        raise _RefusedError("") from None


def _check_expiration(value: object) -> None:
    if not value:
        return
    try:
        moment = parse_iso_8601(_text(value).strip())
        if moment.replace(tzinfo=None) - (moment.utcoffset() or timedelta()) <= datetime.now(UTC).replace(tzinfo=None):
            raise ValueError("Expiration time is out of date.")
    except (ValueError, OverflowError) as error:
        raise _RefusedError(f"Expiration {value} is invalid: {error}") from None


def _check_timezone(value: object) -> None:
    """Check a time zone, unless the system has no time zone data."""
    import zoneinfo

    if not value or not _has_time_zones():
        return
    try:
        zoneinfo.ZoneInfo(_text(value))
    except (ValueError, OSError, KeyError) as error:
        raise _RefusedError(f"Invalid timezone: {error}") from None


@cache
def _has_time_zones() -> bool:
    import zoneinfo

    return bool(zoneinfo.available_timezones())


def _check_json(value: object) -> None:
    if not value:
        return
    try:
        json.loads(_text(value))
    except ValueError as error:
        raise _RefusedError(f"JSON string {value} is invalid: {error}") from None


def _check_cron(value: object) -> None:
    """Check a cron expression with croniter, Heat's library with its own dialect, if it is installed."""
    if not value:
        return
    try:
        croniter = import_module("croniter")
    except ImportError:
        return
    try:
        croniter.croniter(_text(value))
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
        raise _RefusedError(f"Invalid CRON expression: {error}") from None


_CHECKS: dict[str, Callable[[object], None]] = {
    "cron_expression": _check_cron,
    "dns_domain": _check_dns_domain,
    "dns_name": _check_dns_name,
    "expiration": _check_expiration,
    "ip_addr": _check_ip_address,
    "ip_or_cidr": _check_ip_or_cidr,
    "iso_8601": _check_iso_8601,
    "json_string": _check_json,
    "mac_addr": _check_mac,
    "net_cidr": _check_cidr,
    "rel_dns_name": _check_relative_dns_name,
    "timezone": _check_timezone,
}
