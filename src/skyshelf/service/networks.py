"""Networks: the addresses that count as one client."""

import ipaddress
from functools import lru_cache


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return an IPv4 address, or the /64 of an IPv6 address, which belongs to a single site."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
