"""`python -m tests.cloud.server.heat_server`: Heat's API and engine in one process."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from oslo_config import cfg
from oslo_service import backend

from tests.cloud.server.configuration import write_heat_configuration
from tests.cloud.server.database import let_writers_queue, never_give_an_id_twice
from tests.cloud.server.loopback import place_from_command_line
from tests.cloud.server.neighbors import Application, with_neighbors

PAUSE = 0.02


def load_api(configuration: Path) -> Application:
    """Load Heat's API, with `heat-api` as the program name: the name selects the pipeline in api-paste.ini."""
    backend.init_backend(backend.BackendType.THREADING)
    from heat.api.openstack import wsgi

    sys.argv = ["heat-api", "--config-file", str(configuration)]
    application: Application = wsgi.init_application()
    return application


def make_database() -> None:
    from heat.db import migration

    never_give_an_id_twice()
    migration.db_sync()
    let_writers_queue()


def start_engine() -> None:
    """Start the engine, which communicates with the API in the memory of this process."""
    from heat.common import config, policy
    from heat.engine import scheduler, service
    from heat.rpc.api import ENGINE_TOPIC

    def pause(_: object, seconds: float | None) -> None:
        if seconds is not None:
            time.sleep(min(seconds, PAUSE))

    runner: Any = scheduler.TaskRunner
    runner._sleep = pause  # otherwise each resource takes a second
    config.startup_sanity_check()
    policy.get_enforcer().load_rules()  # before concurrent requests find them half loaded
    service.EngineService(cfg.CONF.host, ENGINE_TOPIC).start()


def main() -> None:
    place = place_from_command_line()
    application = load_api(write_heat_configuration(place))
    make_database()
    start_engine()
    place.serve(with_neighbors(application, place.heat))


if __name__ == "__main__":
    main()
