"""The sixteen tools, in the order of the interface specification, and those that an operator can add to them."""

from typing import Final

from skyshelf.agent.tool import Tool
from skyshelf.agent.tools import arrange, attaching, downloads, edit, files, past, sharing, texts, uploads

TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool
    for tool in (
        files.account_info,
        files.list_files,
        files.search_files,
        downloads.download_file,
        downloads.download_all,
        edit.create_folder,
        edit.move_to_trash,
        edit.restore_from_trash,
        edit.list_trash,
        sharing.share_link,
        edit.rename_object,
        edit.set_favorite,
        files.version_history,
        files.recent_activity,
        files.list_boards,
        files.get_contacts,
    )
}

EXTENDED: Final[dict[str, Tool]] = TOOLS | {
    tool.name: tool
    for tool in (
        texts.read_text,
        texts.write_text,
        uploads.upload,
        arrange.move,
        arrange.copy,
        arrange.tag,
        arrange.create_album,
        past.history_of,
        past.diff_since,
        past.rewind_preview,
    )
}
"""What `--tools extended` offers."""

ATTACHING: Final[dict[str, Tool]] = {tool.name: tool for tool in (attaching.attach, attaching.complete_path)}
"""What a host does for its user; models cannot call these."""
