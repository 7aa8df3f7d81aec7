"""The sixteen tools, in the order of the interface specification."""

from typing import Final

from skyshelf.agent.tool import Tool
from skyshelf.agent.tools.account import ACCOUNT_INFO, GET_CONTACTS, LIST_BOARDS
from skyshelf.agent.tools.downloads import DOWNLOAD_ALL, DOWNLOAD_FILE
from skyshelf.agent.tools.edit import CREATE_FOLDER, RENAME_OBJECT, SET_FAVORITE
from skyshelf.agent.tools.files import LIST_FILES, RECENT_ACTIVITY, SEARCH_FILES, VERSION_HISTORY
from skyshelf.agent.tools.sharing import SHARE_LINK
from skyshelf.agent.tools.trash import LIST_TRASH, MOVE_TO_TRASH, RESTORE_FROM_TRASH

TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool
    for tool in (
        ACCOUNT_INFO,
        LIST_FILES,
        SEARCH_FILES,
        DOWNLOAD_FILE,
        DOWNLOAD_ALL,
        CREATE_FOLDER,
        MOVE_TO_TRASH,
        RESTORE_FROM_TRASH,
        LIST_TRASH,
        SHARE_LINK,
        RENAME_OBJECT,
        SET_FAVORITE,
        VERSION_HISTORY,
        RECENT_ACTIVITY,
        LIST_BOARDS,
        GET_CONTACTS,
    )
}
