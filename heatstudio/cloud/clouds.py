"""The clouds that a person can choose from, as openstacksdk finds them: clouds.yaml, secure.yaml and OS_* variables.

Nothing is kept here but names: credentials stay where they are.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from heatstudio.cloud.cloud_error import CloudError, CloudTrouble

if TYPE_CHECKING:  # imported when somebody asks for a cloud: it takes a third of a second
    from openstack.config import OpenStackConfig

_HOW_TO_INSTALL = (
    "To talk to clouds, Heat Studio needs openstacksdk: install Heat Studio with its `cloud` extra, or run "
    "`pip install openstacksdk` where Heat Studio is installed, then start it again."
)
_NO_CLOUD = (
    "No cloud is known here. Save your cloud's clouds.yaml in ~/.config/openstack, or set the OS_* variables before "
    "Heat Studio starts, then look again."
)
_SILENT = logging.CRITICAL + 1
_LOGGERS = ("openstack", "keystoneauth", "stevedore", "urllib3")
"""They quote requests, addresses and even the lines of a clouds.yaml: none of it may reach a log."""


class CloudChoices(Struct, frozen=True):
    """The names of the clouds, and the clouds.yaml that they are from."""

    names: tuple[str, ...]
    file: str | None = None

    @property
    def advice(self) -> str:
        """What to do where there is no cloud to choose; empty where there is one."""
        return "" if self.names else _NO_CLOUD


def find_clouds() -> CloudChoices:
    """The clouds of this computer. Raises CloudError if the configuration cannot be read."""
    configuration = read_configuration()
    # Without any configuration openstacksdk makes up a cloud that leads nowhere.
    made_up = configuration.config_filename is None and configuration.envvar_key not in configuration.get_cloud_names()
    names = () if made_up else tuple(dict.fromkeys(configuration.get_cloud_names()))
    return CloudChoices(names, configuration.config_filename)


def read_configuration() -> OpenStackConfig:
    """What openstacksdk finds. Raises CloudError."""
    try:
        from openstack.config import OpenStackConfig
        from openstack.exceptions import ConfigException
    except ImportError:
        raise CloudError(CloudTrouble.NOT_INSTALLED, _HOW_TO_INSTALL) from None
    with _skipped_files() as skipped:
        try:
            configuration = OpenStackConfig(app_name="heatstudio")
        except (ConfigException, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            # What is wrong is told by its kind alone: the text of the error may quote the file, and so a password.
            message = f"The cloud configuration of this computer cannot be used ({type(error).__name__}): correct it."
            raise CloudError(CloudTrouble.BAD_CONFIGURATION, message) from None
    if skipped:
        message = f"{skipped[0]} cannot be read as YAML. Correct the file, then look again."
        raise CloudError(CloudTrouble.BAD_CONFIGURATION, message)
    return configuration


@contextmanager
def _skipped_files() -> Iterator[list[str]]:
    """The configuration files that openstacksdk leaves out because it cannot read them; it only logs their names."""
    skipped: list[str] = []

    def note(record: logging.LogRecord) -> bool:
        if str(record.msg).startswith("Skipping config file") and isinstance(record.args, tuple):
            skipped.append(str(record.args[0]))
        return False  # nobody else sees the record, which quotes the file

    silence_libraries()
    logger = logging.getLogger("openstack.config")
    logger.addFilter(note)
    logger.setLevel(logging.WARNING)
    try:
        yield skipped
    finally:
        logger.removeFilter(note)
        logger.setLevel(_SILENT)


def silence_libraries() -> None:
    """Keeps what the libraries log, and warn of, out of every log of this program."""
    warnings.filterwarnings("ignore", module="openstack")
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(_SILENT)
