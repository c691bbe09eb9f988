"""What the libraries below raise, as a CloudError.

Their own texts are left behind: they quote addresses and lines of the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from heatstudio.cloud.cloud_error import CloudError, CloudTrouble

_BY_CLASS: dict[str, CloudTrouble] = {
    "ConnectTimeout": CloudTrouble.SLOW,
    "RequestTimeout": CloudTrouble.SLOW,
    "GatewayTimeout": CloudTrouble.SLOW,
    "SSLError": CloudTrouble.TLS,
    "SSLFailure": CloudTrouble.TLS,
    "ConnectFailure": CloudTrouble.UNREACHABLE,
    "UnknownConnectionError": CloudTrouble.UNREACHABLE,
    "ConnectionError": CloudTrouble.UNREACHABLE,
    "Unauthorized": CloudTrouble.LOGIN_REFUSED,
    "AuthorizationFailure": CloudTrouble.LOGIN_REFUSED,
    "Forbidden": CloudTrouble.FORBIDDEN,
    "EndpointNotFound": CloudTrouble.NO_HEAT,
    "EmptyCatalog": CloudTrouble.NO_HEAT,
    "ServiceDiscoveryException": CloudTrouble.NO_HEAT,
    "DiscoveryFailure": CloudTrouble.GARBAGE,
    "InvalidResponse": CloudTrouble.GARBAGE,
    "JSONDecodeError": CloudTrouble.GARBAGE,
    "HttpError": CloudTrouble.SERVER_FAILED,
    "AssertionError": CloudTrouble.SERVER_FAILED,
}
"""By the name of a class or of one that it derives from, the nearest first."""
_SENTENCES: dict[CloudTrouble, str] = {
    CloudTrouble.SLOW: "`{cloud}` timed out. Try again, or check the network and the VPN.",
    CloudTrouble.TLS: (
        "The certificate of `{cloud}` is not trusted. Set its `cacert` in clouds.yaml, "
        "or check the clock of this computer."
    ),
    CloudTrouble.UNREACHABLE: "`{cloud}` cannot be reached. Check the network, the VPN and the address in clouds.yaml.",
    CloudTrouble.LOGIN_REFUSED: (
        "`{cloud}` rejected the login. Check the user, the password and the project in clouds.yaml and secure.yaml."
    ),
    CloudTrouble.FORBIDDEN: "`{cloud}` denied the request. Ask for the required role.",
    CloudTrouble.NO_HEAT: (
        "`{cloud}` has no {service} service for you. Contact its operator, or choose another region or project."
    ),
    CloudTrouble.GARBAGE: (
        "The server at `{cloud}` is not OpenStack. Check the addresses in clouds.yaml, "
        "and whether a proxy or login page answers instead."
    ),
    CloudTrouble.SERVER_FAILED: "`{cloud}` failed. Try again, or contact its operator.",
    CloudTrouble.BAD_CONFIGURATION: (
        "The entry `{cloud}` of clouds.yaml is incomplete or invalid ({kind}). Correct it, then connect again."
    ),
}


@contextmanager
def reported(cloud: str, service: str) -> Iterator[None]:
    """Turns what the libraries raise into a CloudError, and leaves everything else alone."""
    from keystoneauth1.exceptions import ClientException
    from openstack.exceptions import SDKException
    from requests.exceptions import RequestException

    odd_values = (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError)
    try:
        yield
    except (ClientException, SDKException, RequestException, *odd_values) as error:
        raise failure_of(error, cloud, service) from None


def failure_of(error: Exception, cloud: str, service: str) -> CloudError:
    """The error that the user sees. What nobody foresaw is shown as a wrong configuration, by its kind alone."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    trouble = next((_BY_CLASS[kind] for kind in kinds if kind in _BY_CLASS), CloudTrouble.BAD_CONFIGURATION)
    sentence = _SENTENCES[trouble].format(cloud=cloud, service=service, kind=kinds[0])
    return CloudError(trouble, sentence)
