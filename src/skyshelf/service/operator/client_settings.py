"""What clients should know about this server, and what a phone backs up."""

from skyshelf.service.context import ServiceContext
from skyshelf.wire.resources.account import AppSettings, BackupPolicy


def app_settings(ctx: ServiceContext) -> AppSettings:
    rules = ctx.rules
    return AppSettings(
        max_file_size=rules.max_file_size,
        chunk_size=rules.chunk_size,
        backup=BackupPolicy(photos=True, videos=True, audio=True, documents=True, contacts=True, over_wifi_only=True),
        trash_retention_days=rules.trash_retention_days,
        versions_kept=rules.versions_kept,
    )
