"""Errors in the communication with a real Heat, and their messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import yaml

from heatstudio.cloud.changes import create_stack, update_stack
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.clouds import find_clouds, read_configuration
from heatstudio.cloud.connection import ORCHESTRATION, Connection, connect
from heatstudio.cloud.stacks import list_stacks
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.cloud.clouds import cloud_of, keystone_url
from tests.cloud.faults import (
    Exchange,
    Fault,
    FaultyProxy,
    answered,
    cut_off,
    redirected,
    slow,
    trickling,
    truncated,
    unanswered,
    unheard,
    zipped,
)
from tests.cloud.find_stack import found_stack
from tests.cloud.running import RealHeat, Server
from tests.cloud.server.accounts import DEMO, REGION
from tests.cloud.stories import bare, created

pytestmark = pytest.mark.loopback

EMPTY = "heat_template_version: 2021-04-16\n"
LOGIN_PAGE = answered(200, "<html>Please log in</html>", "text/html")


@pytest.fixture
def cloud(faults: FaultyProxy) -> Iterator[Connection]:
    connection = connect("heat-faulty")
    yield connection
    connection.close()


def trouble_of(connection: Connection, patience: float = 5.0) -> CloudErrorKind:
    """Return the kind of error of a request; its message is a sentence without the password."""
    with pytest.raises(CloudError) as caught:
        connection.ask("GET", "/stacks", patience=patience, service=ORCHESTRATION)
    assert DEMO.password not in caught.value.message
    assert caught.value.message.endswith((".", "!", "?"))
    return caught.value.trouble


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        (answered(401), CloudErrorKind.LOGIN_EXPIRED),
        (answered(403), CloudErrorKind.FORBIDDEN),
        (answered(404), CloudErrorKind.NOT_FOUND),
        (answered(409), CloudErrorKind.CONFLICT),
        (answered(400), CloudErrorKind.REFUSED),
        (answered(413, "<html>too large</html>", "text/html"), CloudErrorKind.REFUSED),
        (answered(429, "", "text/plain"), CloudErrorKind.TOO_MANY_REQUESTS),
        (answered(500), CloudErrorKind.SERVER_FAILED),
        (answered(503, "<html>down</html>", "text/html"), CloudErrorKind.GATEWAY_FAILED),
        (answered(200, "[" * 100_000), CloudErrorKind.GARBAGE),
        (answered(500, "[" * 100_000), CloudErrorKind.SERVER_FAILED),
        (zipped(b" " * 2**27), CloudErrorKind.GARBAGE),
        (answered(404, "<html>who?</html>", "text/html"), CloudErrorKind.NOT_FOUND),
        (LOGIN_PAGE, CloudErrorKind.GARBAGE),
        (answered(200, b"\xff\xfe"), CloudErrorKind.GARBAGE),
        (truncated(5), CloudErrorKind.GARBAGE),
        (unheard, CloudErrorKind.UNREACHABLE),
        (unanswered, CloudErrorKind.UNREACHABLE),
        (cut_off(5), CloudErrorKind.UNREACHABLE),
    ],
)
def test_every_fault_has_its_kind_of_error(
    fault: Fault, trouble: CloudErrorKind, cloud: Connection, faults: FaultyProxy
) -> None:
    faults.on(r"/stacks$", fault)
    assert trouble_of(cloud) is trouble
    faults.recover()
    assert list_stacks(cloud) is not None


@pytest.mark.parametrize("fault", [slow(30), trickling(1)])
def test_slow_server_causes_a_timeout(fault: Fault, cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks$", fault)
    assert trouble_of(cloud, patience=0.2) in (CloudErrorKind.SLOW, CloudErrorKind.UNREACHABLE)


@pytest.fixture
def hasty(clouds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a timeout of one second for the cloud `heat-faulty`."""
    found = yaml.safe_load(clouds.read_text("utf-8"))
    found["clouds"]["heat-faulty"]["api_timeout"] = 1
    (tmp_path / "quick.yaml").write_text(yaml.safe_dump(found), "utf-8")
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "quick.yaml"))


@pytest.mark.usefixtures("hasty")
def test_api_timeout_of_the_configuration_is_obeyed(faults: FaultyProxy) -> None:
    connection = connect("heat-faulty")
    faults.on(r"/stacks$", slow(30))
    assert trouble_of(connection, patience=600) in (CloudErrorKind.SLOW, CloudErrorKind.UNREACHABLE)
    connection.close()


@pytest.mark.usefixtures("hasty")
def test_unanswered_login_is_not_repeated(login_faults: FaultyProxy) -> None:
    login_faults.on("", slow(30))
    with pytest.raises(CloudError) as caught:
        connect("heat-faulty")
    assert caught.value.trouble in (CloudErrorKind.SLOW, CloudErrorKind.UNREACHABLE)
    assert len(login_faults.seen) == 1


def test_unexpected_json_is_reported(cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks\?", answered(200, {"hello": "world"}))
    with pytest.raises(CloudError) as caught:
        list_stacks(cloud)
    assert caught.value.trouble is CloudErrorKind.GARBAGE


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_redirect_to_another_host_is_not_followed(
    status: int, method: str, cloud: Connection, faults: FaultyProxy, login_faults: FaultyProxy, real_heat: RealHeat
) -> None:
    thief = f"http://localhost:{real_heat.ports.faulty_keystone}"
    faults.on("/stacks", redirected(status, f"{thief}/stolen"))
    with pytest.raises(CloudError) as caught:
        cloud.ask(method, "/stacks", {"parameters": {"secret": "hush"}} if method == "POST" else None)
    assert caught.value.trouble is CloudErrorKind.REDIRECTED
    assert f"redirects to {thief}." in caught.value.message
    assert not any("stolen" in request.path for request in login_faults.seen)


def test_redirect_to_the_same_host_is_followed(cloud: Connection, faults: FaultyProxy, real_heat: RealHeat) -> None:
    stacks = next(request.path for request in faults.seen if "/stacks" in request.path)
    faults.on("/moved", redirected(302, f"http://127.0.0.1:{real_heat.ports.faulty_heat}{stacks}"))
    assert "stacks" in cloud.facts("/moved", "stacks")


def test_a_login_is_not_repeated_at_another_host(
    login_faults: FaultyProxy, faults: FaultyProxy, real_heat: RealHeat
) -> None:
    login_faults.on("/auth/tokens", redirected(307, f"http://127.0.0.1:{real_heat.ports.faulty_heat}/stolen"))
    with pytest.raises(CloudError) as caught:
        connect("heat-faulty")
    assert caught.value.trouble is CloudErrorKind.REDIRECTED
    assert faults.seen == []


def test_expired_token_is_renewed(cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks\?", answered(401), times=1)
    assert list_stacks(cloud) is not None


def test_killed_heat_during_a_request_is_reported(cloud: Connection, faults: FaultyProxy, mortal_heat: Server) -> None:
    faults.on(r"/stacks$", slow(1))
    killer = Timer(0.2, mortal_heat.kill)
    killer.start()
    assert trouble_of(cloud) is CloudErrorKind.UNREACHABLE
    killer.join()


def test_unreachable_keystone_is_reported(clouds: Path) -> None:
    with pytest.raises(CloudError) as caught:
        connect("heat-faulty")  # the ports of this cloud refuse connections
    assert caught.value.trouble is CloudErrorKind.UNREACHABLE


@pytest.mark.parametrize("fault", [LOGIN_PAGE, answered(500), truncated(9)])
def test_invalid_answer_of_keystone_is_reported(fault: Fault, login_faults: FaultyProxy, faults: FaultyProxy) -> None:
    login_faults.on("/", fault)
    with pytest.raises(CloudError) as caught:
        connect("heat-faulty")
    assert "heat-faulty" in caught.value.message


@pytest.mark.usefixtures("tls")
def test_self_signed_certificate_is_rejected() -> None:
    with pytest.raises(CloudError) as caught:
        connect("heat-untrusted")
    assert caught.value.trouble is CloudErrorKind.TLS
    assert "cacert" in caught.value.message
    connect("heat-tls").close()


def test_cloud_of_environment_variables_needs_no_file(
    real_heat: RealHeat, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "none.yaml"))
    monkeypatch.setenv("HOME", str(tmp_path))
    variables = {"USERNAME": DEMO.name, "PASSWORD": DEMO.password, "PROJECT_NAME": DEMO.project}
    domains = {"USER_DOMAIN_NAME": "Default", "PROJECT_DOMAIN_NAME": "Default"}
    for name, value in {"AUTH_URL": keystone_url(real_heat.ports.keystone), **variables, **domains}.items():
        monkeypatch.setenv(f"OS_{name}", value)
    assert find_clouds().names == ("envvars",)
    connection = connect("envvars")
    assert list_stacks(connection) is not None
    connection.close()


def test_missing_configuration_gives_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "none.yaml"))
    for name in ("OS_CLOUD", "OS_AUTH_URL", "OS_USERNAME", "OS_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    found = find_clouds()
    assert found.names == ()
    assert "clouds.yaml" in found.advice


CLOUDS = "clouds: {%s: {auth: {auth_url: 'https://%s.invalid/v3', username: me}}}"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a home folder with a cloud configuration, and change to a folder that has another one."""
    folder = tmp_path / "cloned"
    folder.mkdir()
    (folder / "clouds.yaml").write_text(CLOUDS % ("mine", "thief"), "utf-8")
    monkeypatch.setattr("openstack.config.loader.CONFIG_SEARCH_PATH", [str(folder), str(tmp_path / "own")])
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "clouds.yaml").write_text(CLOUDS % ("mine", "own"), "utf-8")
    (tmp_path / "own" / "secure.yaml").write_text("clouds: {mine: {auth: {password: hush}}}", "utf-8")
    for name in ("OS_CLIENT_CONFIG_FILE", "OS_CLOUD", "OS_AUTH_URL", "OS_USERNAME", "OS_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return tmp_path


def test_clouds_of_the_current_folder_are_not_used(home: Path) -> None:
    found = find_clouds()
    assert found.untrusted_folder == home / "cloned"
    assert found.origins == {"mine": f"https://own.invalid/v3, from {home / 'own' / 'clouds.yaml'}"}
    auth = read_configuration().get_one(cloud="mine").config["auth"]
    assert (auth["auth_url"], auth["password"]) == ("https://own.invalid/v3", "hush")


def test_cloud_with_several_regions_is_listed_for_each_region(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = "auth: {auth_url: 'https://own.invalid/v3', project_name: p}, regions: [north, {name: south}]"
    (home / "own" / "clouds.yaml").write_text(f"clouds: {{other: {{}}, mine: {{{entry}}}}}", "utf-8")
    monkeypatch.setenv("OS_CLOUD", "mine")
    found = find_clouds()
    assert found.names == ("other", "mine (north)", "mine (south)")
    assert found.preferred == "mine (north)"
    assert found.origins["mine (south)"].startswith("project p, region south, https://own.invalid/v3, from ")


def test_clouds_of_a_trusted_folder_are_used(home: Path) -> None:
    found = find_clouds([home / "cloned"])
    assert found.untrusted_folder is None
    assert found.origins == {"mine": f"https://thief.invalid/v3, from {home / 'cloned' / 'clouds.yaml'}"}


@pytest.mark.parametrize("text", ["clouds: {a: [", "clouds: {a: {auth: {password: hush, : }", "[1, 2]", "clouds: 7"])
def test_unreadable_configuration_is_reported_without_its_content(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "clouds.yaml"
    file.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    with pytest.raises(CloudError) as caught:
        find_clouds()
    assert caught.value.trouble is CloudErrorKind.BAD_CONFIGURATION
    assert "hush" not in caught.value.message
    assert not caplog.records


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("auth: {auth_url: 'http://127.0.0.1:1/v3', username: u}", "has no password"),
        ("auth_type: nonsense\n    auth: {}", "incomplete or invalid"),
        ("auth: {}", "incomplete or invalid"),
    ],
)
def test_incomplete_configuration_is_reported(
    entry: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "clouds.yaml"
    file.write_text(f"clouds:\n  half:\n    {entry}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    with pytest.raises(CloudError, match=words) as caught:
        connect("half")
    assert caught.value.trouble is CloudErrorKind.BAD_CONFIGURATION


def test_cloud_missing_from_the_configuration_is_reported(clouds: Path) -> None:
    with pytest.raises(CloudError) as caught:
        connect("gone")
    assert caught.value.trouble is CloudErrorKind.NO_SUCH_CLOUD


def heard(fault: Fault) -> Fault:
    """Return a fault that is sent after the real server has processed the request."""

    def act(exchange: Exchange) -> None:
        exchange.real_answer()
        fault(exchange)

    return act


@pytest.mark.parametrize(
    ("name", "fault"), [("cut", unanswered), ("gateway", heard(answered(504))), ("empty", heard(answered(200, {})))]
)
def test_stack_is_found_after_a_lost_answer_to_its_creation(
    name: str, fault: Fault, cloud: Connection, faults: FaultyProxy
) -> None:
    faults.on(r"/stacks$", fault, method="POST", times=1)
    stack = create_stack(cloud, f"lost-{name}", bare(EMPTY))
    assert found_stack(cloud, f"lost-{name}").id == stack.id
    assert sum(request.method == "POST" and request.path.endswith("/stacks") for request in faults.seen) == 1


def test_update_is_found_after_a_lost_answer(cloud: Connection, faults: FaultyProxy) -> None:
    text = f"{EMPTY}resources: {{one: {{type: OS::Heat::Value, properties: {{value: 1}}}}}}\n"
    stack = created(cloud, "updated-unheard", Source(parse_template(text)))
    faults.on(r"/stacks/", heard(answered(502)), method="PATCH", times=1)
    update_stack(cloud, stack, bare(text))
    assert found_stack(cloud, stack.id).updated


@pytest.mark.parametrize("status", [502, 503, 504])
def test_request_that_heat_never_received_is_reported(
    status: int, cloud: Connection, faults: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heatstudio.cloud.changes._PAUSES", (0.0, 0.0))
    faults.on(r"/stacks$", answered(status), method="POST")
    with pytest.raises(CloudError, match=r"Heat did not start the operation\. Nothing has changed"):
        create_stack(cloud, "unheard", bare(EMPTY))
    faults.on(r"/stacks/unheard", answered(status))
    faults.on(r"/stacks/lost-again", answered(404), times=1)
    faults.on(r"/stacks/lost-again", answered(status))
    with pytest.raises(CloudError, match="Heat may have started the operation"):
        create_stack(cloud, "lost-again", bare(EMPTY))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"auth_type": "v3token", "auth": {"token": "bogus"}}, "rejected the token"),
        (
            {
                "auth_type": "v3applicationcredential",
                "auth": {"application_credential_id": "nobody", "application_credential_secret": "hush"},
            },
            "rejected the application credential",
        ),
        ({"auth": cloud_of(DEMO, "")["auth"], "region_name": "Atlantis"}, "only in `RegionOne`"),
    ],
)
def test_failed_login_is_reported_with_its_reason(
    entry: dict[str, Any],
    words: str,
    real_heat: RealHeat,
    clouds: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    cloud: dict[str, Any] = {"region_name": REGION} | entry
    domains = {"project_domain_name": "Default", "project_name": DEMO.project}
    cloud["auth"] = entry["auth"] | {"auth_url": keystone_url(real_heat.ports.keystone)}
    cloud["auth"] |= {} if "application" in words else domains
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump({"clouds": {"wrong": cloud}}), "utf-8")
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(tmp_path / "wrong.yaml"))
    with pytest.raises(CloudError, match=words) as caught:
        connect("wrong")
    assert "hush" not in caught.value.message
