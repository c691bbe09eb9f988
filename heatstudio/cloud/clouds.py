"""The configured clouds, as openstacksdk finds them: clouds.yaml, secure.yaml and OS_* variables.

This module stores only names and addresses, no credentials. openstacksdk prefers the clouds.yaml of the current folder
and merges the user's own secure.yaml into it, so an untrusted folder could send the user's passwords to any server.
Therefore the files of the current folder are used only if the user trusts that folder.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind

if TYPE_CHECKING:  # imported on first use, because the import takes a third of a second
    from openstack.config import OpenStackConfig

_HOW_TO_INSTALL = (
    "Cloud support requires openstacksdk. Install Heat Studio with its `cloud` extra, or run "
    "`pip install openstacksdk` in its environment, then restart Heat Studio."
)
_CHECK_FILES = "Check clouds.yaml, secure.yaml and the OS_* variables, then choose Find Clouds again."
_NO_CLOUD = (
    "No clouds found. Save your cloud's clouds.yaml in ~/.config/openstack and choose Find Clouds again, or set the "
    "OS_* variables and restart Heat Studio."
)
_NAMES = ("clouds", "secure", "clouds-public")
_ENDINGS = ("yaml", "yml", "json")
_SILENT = logging.CRITICAL + 1
_LOGGERS = ("openstack", "keystoneauth", "stevedore", "urllib3")
"""The loggers to silence, because their messages quote requests, addresses and lines of clouds.yaml."""


class CloudChoices(Struct, frozen=True):
    """The clouds that are configured on this computer."""

    names: tuple[str, ...]
    origins: Mapping[str, str] = {}
    """The project, region, login address and file of each cloud, as text."""
    cautions: Mapping[str, str] = {}
    """A warning for each cloud whose configuration is insecure."""
    preferred: str = ""
    """The cloud that `OS_CLOUD` names; empty if it names none."""
    untrusted_folder: Path | None = None
    """The current folder, if its cloud configuration is ignored because the folder is untrusted."""

    @property
    def advice(self) -> str:
        """The advice for the user if there is no cloud to choose; empty otherwise."""
        return "" if self.names else _NO_CLOUD


def find_clouds(trusted_folders: Collection[Path] = ()) -> CloudChoices:
    """Return the configured clouds; ignore the files of the current folder unless it is trusted.

    Raise CloudError if the configuration cannot be read.
    """
    configuration = read_configuration(trusted_folders)
    here = Path.cwd()
    has_files = any((here / f"{name}.{ending}").is_file() for name in _NAMES for ending in _ENDINGS)
    is_untrusted = has_files and here not in trusted_folders and str(here) not in _search_path()[1:]
    # Without any configuration, openstacksdk returns a default cloud without an address.
    made_up = configuration.config_filename is None and configuration.envvar_key not in configuration.get_cloud_names()
    entries = {} if made_up else cloud_entries(configuration)
    settings = {name: entry_of(configuration, cloud) for name, (cloud, _) in entries.items()}
    wanted = os.environ.get("OS_CLOUD", "")
    return CloudChoices(
        tuple(entries),
        {name: _origin(configuration, *entry) for name, entry in entries.items()},
        {name: caution_of(entry, text(part(entry, "auth"), "auth_url")) for name, entry in settings.items()},
        next((name for name, (cloud, _) in entries.items() if cloud == wanted), ""),
        here if is_untrusted else None,
    )


def cloud_entries(configuration: OpenStackConfig) -> dict[str, tuple[str, str]]:
    """Return the entry and the region of each cloud by display name; each of several regions is a cloud of its own."""
    clouds = part(mapping(configuration.cloud_config), "clouds")
    found: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(configuration.get_cloud_names()):
        listed = items(part(clouds, name), "regions")
        regions = [text(mapping(one), "name") if isinstance(one, dict) else str(one) for one in listed]
        found |= {f"{name} ({one})": (name, one) for one in regions} if len(regions) > 1 else {name: (name, "")}
    return found


def entry_of(configuration: OpenStackConfig, cloud: str) -> Facts:
    """Return the entry of a cloud in clouds.yaml."""
    return part(part(mapping(configuration.cloud_config), "clouds"), cloud)


def _origin(configuration: OpenStackConfig, name: str, region: str) -> str:
    """Return the project, region, login address and file of a cloud, without missing parts."""
    entry = entry_of(configuration, name)
    auth = part(entry, "auth")
    project = text(auth, "project_name") or text(auth, "project_id") or text(auth, "tenant_name")
    region = region or text(entry, "region_name")
    source = "OS_* variables" if name == configuration.envvar_key else str(configuration.config_filename or "")
    address = without_password(text(auth, "auth_url"))
    said = (project and f"project {project}", region and f"region {region}", address, f"from {source}")
    return ", ".join(filter(None, said))


def without_password(url: str) -> str:
    """Return a URL without a user, password and query."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("?")[0].partition("#")[0].partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}" if separator else url.rpartition("@")[2]


def caution_of(settings: Facts, *addresses: str) -> str:
    """Return a warning if a cloud with these settings and addresses is insecure; empty if it is secure."""
    is_unverified = settings.get("insecure") or settings.get("verify") is False
    authority = text(settings, "cacert")
    is_open = any(address.lower().startswith("http:") for address in addresses)
    words = (
        "the certificate of the server is not verified" if is_unverified else "",
        f"only the certificate authority in {authority} is trusted" if authority and not is_unverified else "",
        "passwords and values are sent unencrypted (http)" if is_open else "",
    )
    return f"Caution: {'; '.join(filter(None, words))}." if any(words) else ""


def _search_path() -> list[str]:
    """Return the folders in which openstacksdk searches for its files, the current folder first."""
    from openstack.config.loader import CONFIG_SEARCH_PATH

    return [str(Path.cwd()), *CONFIG_SEARCH_PATH[1:]]


def _files(name: str, trusted_folders: Collection[Path]) -> list[str]:
    """Return the paths of the configuration files with a name that openstacksdk may read."""
    folders = _search_path() if Path.cwd() in trusted_folders else _search_path()[1:]
    return [str(Path(folder, f"{name}.{ending}")) for folder in folders for ending in _ENDINGS]


def read_configuration(trusted_folders: Collection[Path] = ()) -> OpenStackConfig:
    """Return the configuration that openstacksdk finds. Raise CloudError."""
    try:
        from openstack.config import OpenStackConfig
        from openstack.exceptions import ConfigException
    except ImportError:
        raise CloudError(CloudErrorKind.NOT_INSTALLED, _HOW_TO_INSTALL) from None
    skipped: list[str] = []

    def note(record: logging.LogRecord) -> None:
        if str(record.msg).startswith("Skipping config file") and isinstance(record.args, tuple):
            skipped.append(str(record.args[0]))

    with warnings_of("openstack.config", note):
        try:
            configuration = OpenStackConfig(
                config_files=_files("clouds", trusted_folders),
                secure_files=_files("secure", trusted_folders),
                vendor_files=_files("clouds-public", trusted_folders),
                app_name="heatstudio",
            )
        except (ConfigException, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            # Report only the class of the error: its message may quote the file, including a password.
            message = f"The cloud configuration on this computer is invalid ({type(error).__name__}). {_CHECK_FILES}"
            raise CloudError(CloudErrorKind.BAD_CONFIGURATION, message) from None
    if skipped:
        message = f"{skipped[0]} cannot be read as YAML. Fix the file, then choose Find Clouds again."
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, message)
    return configuration


@contextmanager
def warnings_of(library: str, note: Callable[[logging.LogRecord], object]) -> Iterator[None]:
    """Pass the logged warnings of a library to a function, and drop them, as they quote files and addresses."""
    silence_libraries()
    logger = logging.getLogger(library)

    def drop(record: logging.LogRecord) -> bool:
        note(record)
        return False

    logger.addFilter(drop)
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.removeFilter(drop)
        logger.setLevel(_SILENT)


def silence_libraries() -> None:
    """Keep the log records and warnings of the libraries out of every log of this program."""
    warnings.filterwarnings("ignore", module="openstack")
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(_SILENT)
