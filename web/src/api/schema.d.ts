// Written by scripts/types.mjs from docs/openapi.json.
export interface paths {
    "/security/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The profile of the user, with quota and devices; 200 means that the session is valid. */
        get: operations["profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/users/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Active and expired storage promotions. */
        get: operations["promotions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The backup policy, and what clients should know about the server. */
        get: operations["app_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/getokenforcookie": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A nonce that opens downloads for ten minutes, in the body and as a cookie. */
        post: operations["cookie_nonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a session with e-mail address and password. */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session that calls, without its token: what a page needs to know after it was loaded anew. */
        get: operations["session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/users/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Ends the session; its token stops working. */
        put: operations["logout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes the password; every other session ends, and this one stays. */
        post: operations["change_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the names that others see. */
        put: operations["edit_profile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The devices of the account, and which of them are logged in. */
        get: operations["own_devices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs one device out. */
        post: operations["end_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs out every device but the one that calls. */
        post: operations["end_other_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/devices/{device_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets a device, which is logged out. */
        delete: operations["remove_device"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Announces that the account is to go for good, when a time of grace is over. */
        post: operations["delete_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/deletion/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back that the account is to go. */
        post: operations["keep_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a login asks for a code too, since when, and how many recovery codes are left. */
        get: operations["second_factor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a secret for an authenticator. Nothing is on yet; to begin again forgets the secret before. */
        post: operations["begin_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turns the second factor on, by a code of the authenticator. Tells the recovery codes, this once. */
        post: operations["confirm_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turns the second factor off, by the password and a code. No session ends. */
        post: operations["turn_off_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes new recovery codes, by the password and a code; those before are worth nothing any more. */
        post: operations["renew_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/defaultview/myfiles/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in a folder. */
        get: operations["default_view"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in a folder, page by page. */
        get: operations["listing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/1.0": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Favourite, unfavourite, rename, move and trash; each entry is applied or refused on its own. */
        put: operations["batch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Takes objects out of the trash. */
        put: operations["restore"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in the trash, newest trashed first. */
        get: operations["trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Does nothing: every key comes back unprocessed. Use the TRASH operation of the batch call.
         * @deprecated
         */
        put: operations["legacy_delete"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/version/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of a file, newest first. */
        get: operations["versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a folder. */
        post: operations["create_folder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/objects/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One object as it is now, with the folders that lead to it. */
        get: operations["object_place"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/trash/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes chosen objects of the trash for good; each is gone or refused on its own. */
        post: operations["purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/trash/empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes everything in the trash for good; answers at once, however much that is. */
        post: operations["empty_trash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/versions/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the content of an earlier version the newest version of the file. */
        post: operations["restore_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds objects by words of their names, and by what they are; the best match first. */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened in the account since a cursor, oldest first; without one, the cursor of now. */
        get: operations["changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/changes/everything": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All objects of the account, page by page, to begin from before following its changes. */
        get: operations["everything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/changes/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Changes as they happen, as server-sent events: pages whose id is the cursor, and word of boards. */
        get: operations["change_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/recent/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest pictures and videos, and the newest other files. */
        get: operations["recent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/spotlights/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Memories: pictures and videos of this day and of this month in earlier years. */
        get: operations["spotlights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/collshare/byme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects with a live share link, newest share first. */
        get: operations["shared_by_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/headless/linkedapp/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects that an app uploaded under its code. */
        get: operations["linked_app"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/manual/tag/recents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tags used lately, as a bare array. */
        get: operations["recent_tags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/manual/tags/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tags of an object, as a bare array. */
        get: operations["object_tags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cspp/intg/doc/supported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Extensions that the web client can show and edit. */
        get: operations["supported_documents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tags, by name. */
        get: operations["tag_list"];
        put?: never;
        /** Gives a tag to files and folders; each gets it or is refused on its own. */
        post: operations["add_tag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/tags/{tag_key}/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What bears a tag, tagged last first. */
        get: operations["tagged_objects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/tags/{tag_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Renames a tag, on everything that bears it. */
        put: operations["rename_tag"];
        post?: never;
        /** Deletes a tag; the objects stay. */
        delete: operations["delete_tag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/tags/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a tag off files and folders; one that nothing bears any more is gone. */
        post: operations["remove_tag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many pictures and videos there are of each month, newest first. */
        get: operations["timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/timeline/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pictures and videos of a month, newest first. */
        get: operations["timeline_objects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/favorites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Favourites, newest first or by name. */
        get: operations["favorites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The share links of the user, newest first, expired and used up ones too. */
        get: operations["own_shares"];
        put?: never;
        /** Creates a public link that may have an end, a password and a number of downloads. */
        post: operations["add_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/shares/{share_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One share link of the user. */
        get: operations["own_share"];
        /** Changes the name, the end, the password or the number of downloads of a share link. */
        put: operations["edit_share"];
        post?: never;
        /** Ends a share link for good. */
        delete: operations["revoke_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/share/ulinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a public link to one or several objects. */
        post: operations["create_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/l/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public page of a share link. */
        get: operations["share_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** The public page of a share link. */
        head: operations["share_page_head"];
        patch?: never;
        trace?: never;
    };
    "/download/files/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The content of a file, whole or in ranges. */
        get: operations["download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** The content of a file, whole or in ranges. */
        head: operations["download_head"];
        patch?: never;
        trace?: never;
    };
    "/download/avimages/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A thumbnail of a picture, video or PDF. */
        get: operations["thumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A thumbnail of a picture, video or PDF. */
        head: operations["thumbnail_head"];
        patch?: never;
        trace?: never;
    };
    "/x/v1/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The contents of many small files of one's own, one after the other. */
        get: operations["contents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boards/sync/initial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The boards that the user is a member of. */
        get: operations["board_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a board. */
        post: operations["create_board"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boards/{board_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A board and what is on it. */
        get: operations["board_details"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/boards/{board_key}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The roster of a board. */
        get: operations["board_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/boards/{board_key}/unjoin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Leaves a board; it passes to the oldest member, or is gone with the last one. */
        put: operations["leave_board"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts files of the user on a board; each is shown or refused on its own. */
        post: operations["add_to_board"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/objects/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes files off a board: the user's own, or, for the owner, anybody's. */
        post: operations["remove_from_board"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Chooses the file that stands for a board. */
        put: operations["set_board_cover"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the name or the description of a board. */
        put: operations["edit_board"];
        post?: never;
        /** Deletes a board; the files stay with their owners. */
        delete: operations["delete_board"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is invited to a board and has not answered, and the links to it. */
        get: operations["board_invitations"];
        put?: never;
        /** Invites an e-mail address; the answer does not tell whether an account has it. */
        post: operations["invite_to_board"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/invitations/{invitation_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes an invitation back. */
        delete: operations["revoke_board_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a link that brings whoever has it onto a board. */
        post: operations["create_board_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/links/{link_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a link back; who came by it stays. */
        delete: operations["revoke_board_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Makes a member an editor, a viewer or the owner. */
        put: operations["set_board_role"];
        post?: never;
        /** Removes a member, whose files go along. */
        delete: operations["remove_board_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a board, newest first. */
        get: operations["board_comments"];
        put?: never;
        /** Says something about a board, or about a file on it. */
        post: operations["add_board_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/comments/{comment_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a comment of the user. */
        put: operations["edit_board_comment"];
        post?: never;
        /** Removes a comment of the user, or, for the owner of the board, anybody's. */
        delete: operations["remove_board_comment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The boards that the user is invited to. */
        get: operations["received_invitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Joins a board: one that the user is invited to, or by a link. */
        post: operations["accept_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/invitations/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Declines an invitation. */
        post: operations["decline_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/amiko/cab/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts, paged by headers. */
        get: operations["contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/amiko/cab/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** E-mail addresses of contacts, paged by headers. */
        get: operations["contact_emails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a contact. */
        post: operations["add_contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/contacts/{contact_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replaces all of a contact. */
        put: operations["edit_contact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/contacts/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes contacts; each is removed or refused on its own. */
        post: operations["remove_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a contact for every card of a vCard file; each is read or refused on its own. */
        post: operations["import_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contacts as vCards, by name. */
        get: operations["export_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/promo/banner/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Promo banners to show now. */
        get: operations["banners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads a small file in one call: a field `metadataString` with JSON, and a part `file`. */
        post: operations["upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/uploads/many": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads many small files in one call: a field `metadataString` with JSON, and then a part `file` with the contents of all of them, one directly behind the other. Each file succeeds or is refused by itself. */
        post: operations["upload_many"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/files/chunked/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins or resumes an upload, or ends it at once with the object where no byte of it is missing. */
        post: operations["initiate_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/files/chunked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sends the next chunk (200); the last one finishes the file (201). */
        put: operations["upload_chunk"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The uploads of the user that were begun and are not finished, newest first. */
        get: operations["unfinished_uploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/uploads/{upload_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Gives an upload up; the room that was kept for it is free at once. */
        delete: operations["give_up_upload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Error
         * @description The body of every error: a code with one meaning, and a sentence for people.
         */
        Error: {
            code: string;
            message: string;
        };
        /**
         * Acceptance
         * @description Which invitation: the board's key, or the token of a link.
         */
        Acceptance: {
            /** @default null */
            boardKey?: string | null;
            /** @default null */
            token?: string | null;
        };
        /**
         * AccountDeletion
         * @description When the account goes for good.
         */
        AccountDeletion: {
            deletionDate: number;
        };
        /**
         * AccountDeletionRequest
         * @description The password, so that nobody who finds an open session can delete the account.
         */
        AccountDeletionRequest: {
            password: string;
        };
        /**
         * AppSettings
         * @description What clients should know about this server.
         */
        AppSettings: {
            maxFileSize: number;
            chunkSize: number;
            backup: components["schemas"]["BackupPolicy"];
            trashRetentionDays: number;
            versionsKept: number;
        };
        /**
         * BackupPolicy
         * @description What a phone backs up.
         */
        BackupPolicy: {
            photos: boolean;
            videos: boolean;
            audio: boolean;
            documents: boolean;
            contacts: boolean;
            overWifiOnly: boolean;
        };
        /**
         * BannerCard
         * @description One banner and the time it is shown in.
         */
        BannerCard: {
            cardId: string;
            title: string;
            text: string;
            imageUrl: string;
            actionUrl: string;
            startDate: number;
            endDate: number;
        };
        /**
         * BannerList
         * @description Banners to show now.
         */
        BannerList: {
            cards: components["schemas"]["BannerCard"][];
        };
        /**
         * BatchAnswer
         * @description What became of each entry; answered with 200 even when entries were refused.
         */
        BatchAnswer: {
            objects: components["schemas"]["ProcessedEntry"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * BatchEntry
         * @description One operation as a server reads it.
         */
        BatchEntry: {
            operation: components["schemas"]["Operation"];
            object: components["schemas"]["EchoedObject"];
            /** @default null */
            correlationId?: string | null;
        };
        /**
         * BatchRequest
         * @description The operations of one call, as a server reads them.
         */
        BatchRequest: {
            objects: components["schemas"]["BatchEntry"][];
        };
        /**
         * Board
         * @description A board and its counters; `memberType` is what the caller is on it: `O` owns it, `M` adds files, `V` looks.
         */
        Board: {
            boardKey: string;
            boardName: string;
            boardDescription: string;
            boardType: string;
            status: string;
            ownerUserId: string;
            filesCount: number;
            imageCount: number;
            videoCount: number;
            audioCount: number;
            commentsCount: number;
            usersCount: number;
            sizeInBytes: number;
            createdDate: number;
            lastModifiedDate: number;
            coverObjectKey?: string;
            memberType: string;
        };
        /**
         * BoardAdditions
         * @description What the board shows now, and what it does not.
         */
        BoardAdditions: {
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * BoardComment
         * @description Words on a board; `objectKey` is what they are about, while the board shows it.
         */
        BoardComment: {
            commentKey: string;
            userId: string;
            firstName: string;
            objectKey?: string;
            text: string;
            createdDate: number;
            editedDate?: number;
        };
        /**
         * BoardComments
         * @description A page of comments, newest first; the last page has no `nextCursor`.
         */
        BoardComments: {
            comments: components["schemas"]["BoardComment"][];
            nextCursor?: string;
        };
        /**
         * BoardCover
         * @description The file that stands for the board; null for none.
         */
        BoardCover: {
            /** @default null */
            objectKey?: string | null;
        };
        /**
         * BoardCreation
         * @description The board to create; `parentObjectKey` is a place for a folder that web clients leave null.
         */
        BoardCreation: {
            boardName: string;
            /** @default null */
            boardDescription?: string | null;
            /** @default null */
            parentObjectKey?: string | null;
        };
        /**
         * BoardDetails
         * @description A board and what is on it.
         */
        BoardDetails: {
            board: components["schemas"]["Board"];
            objects: components["schemas"]["BoardObject"][];
        };
        /**
         * BoardEditing
         * @description What to change; what is absent or null stays as it is.
         */
        BoardEditing: {
            /** @default null */
            boardName?: string | null;
            /** @default null */
            boardDescription?: string | null;
        };
        /**
         * BoardInvitation
         * @description Somebody who is invited, whether or not an account has the address.
         */
        BoardInvitation: {
            invitationKey: string;
            emailId: string;
            memberType: string;
            createdDate: number;
            expiresDate: number;
        };
        /**
         * BoardInvitations
         * @description Who is invited to a board and has not answered, and the links to it.
         */
        BoardInvitations: {
            invitations: components["schemas"]["BoardInvitation"][];
            links: components["schemas"]["BoardLink"][];
        };
        /**
         * BoardLink
         * @description A link to join a board; the `token` in it is all that it takes.
         */
        BoardLink: {
            linkKey: string;
            linkURL: string;
            token: string;
            memberType: string;
            createdDate: number;
            expiresDate: number;
        };
        /**
         * BoardList
         * @description Boards.
         */
        BoardList: {
            boards: components["schemas"]["Board"][];
        };
        /**
         * BoardMember
         * @description A member; `memCreatedDate` is when the member joined.
         */
        BoardMember: {
            userId: string;
            firstName: string;
            memberType: string;
            memberStatus: string;
            memCreatedDate: number;
        };
        /**
         * BoardMembers
         * @description The roster of a board.
         */
        BoardMembers: {
            boardMembers: components["schemas"]["BoardMember"][];
        };
        /**
         * BoardObject
         * @description A file on a board. Of somebody else's there is what the board shows, and nothing of where its owner keeps it.
         */
        BoardObject: {
            objectKey: string;
            parentObjectKey?: string;
            objectName: string;
            objectType: string;
            sizeInBytes: number;
            mimeType: string;
            mimeSubType: string;
            sourceFolder?: string;
            hash?: string;
            fileCreatedDate: number;
            lastModifiedDate: number;
            status: string;
            isHidden?: boolean;
            isLocked?: boolean;
            isReadonly?: boolean;
            isFavorite?: boolean;
            url?: string;
            imageTranscodeUrl?: string;
            version?: number;
            sourceName?: string;
            displayName: string;
            latestVersion?: number | boolean | string;
            createdDate?: number;
            lastUpdatedDate?: number;
            parentObjectType?: string;
            iconName?: string;
            tileName?: string;
            gridDate?: number | string;
            cMonthNo?: number | string;
            cYear?: number | string;
            /** @description anything */
            recipientsObjRights?: unknown;
        };
        /**
         * BoardObjectsRequest
         * @description Files for a board, or off it; what is not the key of one ends up in `unprocessed`.
         */
        BoardObjectsRequest: {
            objectKeys: string[];
        };
        /**
         * BoardRemovals
         * @description What was taken off the board, and what was not.
         */
        BoardRemovals: {
            objectKeys: string[];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * Change
         * @description One thing that happened to one object.
         */
        Change: {
            kind: string;
            objectKey?: string;
            date: number;
        };
        /**
         * ChangesPage
         * @description What happened, oldest first, and the objects that it happened to, as they are now.
         *
         *     An object that is not among `objects` is gone for good. `cursor` is where to go on, also from the last page.
         */
        ChangesPage: {
            changes: components["schemas"]["Change"][];
            objects: components["schemas"]["CloudObject"][];
            cursor: string;
            hasMore: boolean;
        };
        /**
         * CloudObject
         * @description A file or folder.
         */
        CloudObject: {
            objectKey: string;
            parentObjectKey?: string;
            objectName: string;
            objectType: string;
            sizeInBytes: number;
            mimeType: string;
            mimeSubType: string;
            sourceFolder: string;
            hash?: string;
            fileCreatedDate: number;
            lastModifiedDate: number;
            status: string;
            isHidden: boolean;
            isLocked: boolean;
            isReadonly: boolean;
            isFavorite: boolean;
            url?: string;
            imageTranscodeUrl?: string;
            version: number;
            sourceName: string;
            displayName: string;
            latestVersion: number | boolean | string;
            createdDate: number;
            lastUpdatedDate: number;
            parentObjectType?: string;
            iconName?: string;
            tileName?: string;
            gridDate?: number | string;
            cMonthNo?: number | string;
            cYear?: number | string;
            /** @description anything */
            recipientsObjRights?: unknown;
        };
        /**
         * CommentCreation
         * @description What to say, about the board or about one thing on it.
         */
        CommentCreation: {
            text: string;
            /** @default null */
            objectKey?: string | null;
        };
        /**
         * CommentEditing
         * @description What a comment says from now on.
         */
        CommentEditing: {
            text: string;
        };
        /**
         * Contact
         * @description A person in the address book.
         */
        Contact: {
            contactId: string;
            displayName: string;
            firstName?: string;
            lastName?: string;
            emails?: components["schemas"]["ContactMailbox"][];
            phones?: components["schemas"]["ContactPhone"][];
            isActive: boolean;
            lastUpdatedDate: number;
        };
        /**
         * ContactEmail
         * @description An e-mail address and who it belongs to.
         */
        ContactEmail: {
            emailId: string;
            displayName: string;
        };
        /**
         * ContactEmailList
         * @description A page of e-mail addresses.
         */
        ContactEmailList: {
            contactEmail: components["schemas"]["ContactEmail"][];
        };
        /**
         * ContactList
         * @description A page of contacts; an account without any is answered `{}`.
         */
        ContactList: {
            contacts?: components["schemas"]["Contact"][];
        };
        /**
         * ContactMailbox
         * @description An e-mail address of a contact.
         */
        ContactMailbox: {
            emailId: string;
            type?: string;
        };
        /**
         * ContactPhone
         * @description A telephone number of a contact.
         */
        ContactPhone: {
            number: string;
            type?: string;
        };
        /**
         * ContactRemoval
         * @description The contacts to remove; what is not the key of one ends up in `unprocessed`.
         */
        ContactRemoval: {
            contactIds: string[];
        };
        /**
         * ContactRemovals
         * @description Who was removed and who was not.
         */
        ContactRemovals: {
            contactIds: string[];
            unprocessed: components["schemas"]["UnprocessedContact"][];
        };
        /**
         * ContactRequest
         * @description All of a contact; without `displayName` it is called by its names, or by its first address or number.
         */
        ContactRequest: {
            /** @default null */
            displayName?: string | null;
            /** @default null */
            firstName?: string | null;
            /** @default null */
            lastName?: string | null;
            /** @default null */
            emails?: components["schemas"]["MailboxEntry"][] | null;
            /** @default null */
            phones?: components["schemas"]["PhoneEntry"][] | null;
        };
        /**
         * CookieNonce
         * @description The nonce that opens downloads for a short time.
         */
        CookieNonce: {
            nonce: string;
        };
        /**
         * CookieNonceRequest
         * @description The JWT of the session, which a nonce is given for.
         */
        CookieNonceRequest: {
            jwt: string;
        };
        /**
         * Declining
         * @description Which invitation.
         */
        Declining: {
            /** @description 32 hexadecimal digits */
            boardKey: string;
        };
        /**
         * Device
         * @description A registered device; `deviceKey` is a UUID.
         */
        Device: {
            deviceKey: string;
            deviceName: string;
            deviceType: string;
            platformType: string;
        };
        /**
         * DeviceRequest
         * @description Which device.
         */
        DeviceRequest: {
            /** @description a UUID */
            deviceKey: string;
        };
        /**
         * Done
         * @description Nothing to say: it is done.
         */
        Done: Record<string, never>;
        /**
         * EchoedObject
         * @description What a server reads from the echo of an object; the rest of the echo is ignored.
         *
         *     Only the key is required: an absent name or source refuses the entry and not the call.
         */
        EchoedObject: {
            objectKey: string;
            /** @default null */
            objectName?: string | null;
            /** @default null */
            parentObjectKey?: string | null;
            /** @default null */
            sourceName?: string | null;
            /** @default null */
            status?: string | null;
        };
        /**
         * EmptyTrashAnswer
         * @description The trash is empty. Its bytes leave `usedSpace` within moments, as they are removed.
         */
        EmptyTrashAnswer: {
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * EndedSessions
         * @description How many other sessions have ended.
         */
        EndedSessions: {
            endedSessions: number;
        };
        /**
         * Everything
         * @description All objects of an account, trashed ones too, by key.
         *
         *     `changesCursor` is of the moment before the first page: whoever then asks for the changes since has the whole.
         */
        Everything: {
            objects: components["schemas"]["CloudObject"][];
            nextCursor?: string;
            changesCursor: string;
        };
        /**
         * FileToUpload
         * @description A file that is going to be uploaded, and the folder that it goes to.
         */
        FileToUpload: {
            /** @description 1 to 255 bytes of UTF-8 after NFC; no slash, no control character, neither . nor .. */
            name: string;
            size: number;
            /** @description MD5 in hexadecimal */
            hash: string;
            /** @default null */
            folderKey?: string | null;
            /** @default null */
            fileCreatedDate?: number | null;
            /** @default null */
            lastModifiedDate?: number | null;
            sourceName?: string;
            /** @default null */
            sourceFolder?: string | null;
            /** @default null */
            appcode?: string | null;
        };
        /**
         * FileVersion
         * @description One version; `displayVersion` is `V` and the number.
         */
        FileVersion: {
            version: number;
            displayVersion: string;
            createdDate: number;
            isCurrentVersion: boolean;
            versionCreatedBy: components["schemas"]["VersionAuthor"];
            sizeInBytes: number;
            hash: string;
            lastUpdatedDate: number;
            lastUpdatedBy: string | components["schemas"]["VersionAuthor"];
        };
        /**
         * FileVersions
         * @description All versions that are kept, newest first.
         */
        FileVersions: {
            totalVersions: number;
            objVersions: components["schemas"]["FileVersion"][];
        };
        /**
         * FolderAbove
         * @description A folder on the way to what was found; the root has no parent.
         */
        FolderAbove: {
            objectKey: string;
            parentObjectKey?: string;
            objectName: string;
        };
        /**
         * FolderCreation
         * @description The folder to create.
         */
        FolderCreation: {
            /** @description 1 to 255 bytes of UTF-8 after NFC; no slash, no control character, neither . nor .. */
            objectName: string;
            /** @description 32 hexadecimal digits */
            parentObjectKey: string;
            sourceName?: string;
        };
        /**
         * ImportedContacts
         * @description What became of each card.
         */
        ImportedContacts: {
            contacts: components["schemas"]["Contact"][];
            unprocessed: components["schemas"]["UnreadCard"][];
        };
        /**
         * InvitationRequest
         * @description Whom to invite, and as what; without `expiresDate` the invitation stands for 30 days.
         */
        InvitationRequest: {
            emailId: string;
            /** @enum {unknown} */
            memberType?: "M" | "V";
            /** @default null */
            expiresDate?: number | null;
        };
        /**
         * LegacyDeleteAnswer
         * @description Every key, unprocessed.
         */
        LegacyDeleteAnswer: {
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * LegacyDeleteRequest
         * @description Keys that the legacy delete takes and does nothing about.
         */
        LegacyDeleteRequest: {
            objectKeys: string[];
        };
        /**
         * LinkRequest
         * @description A link that brings whoever has it onto the board.
         */
        LinkRequest: {
            /** @enum {unknown} */
            memberType?: "M" | "V";
            /** @default null */
            expiresDate?: number | null;
        };
        /**
         * LoginAnswer
         * @description The session; `authToken` is what follows `Basic ` in the Authorization header, and only a login tells it.
         */
        LoginAnswer: {
            userId: string;
            deviceKey: string;
            rootFolderKey: string;
            authToken?: string;
            jwt: string;
        };
        /**
         * LoginRequest
         * @description Who logs in, and from which device; naming a registered device ends its earlier session.
         */
        LoginRequest: {
            emailId: string;
            password: string;
            /** @default null */
            code?: string | null;
            /** @default null */
            deviceName?: string | null;
            /** @default null */
            platformType?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /**
             * @description for browsers: keep the token in an HttpOnly cookie, and out of the answer
             * @default null
             */
            inCookie?: boolean | null;
        };
        /**
         * MailboxEntry
         * @description An e-mail address.
         */
        MailboxEntry: {
            emailId: string;
            /** @default null */
            type?: string | null;
        };
        /**
         * ManualTag
         * @description A tag that a person gave.
         */
        ManualTag: {
            tagId: string;
            tagName: string;
            createdDate: number;
        };
        /**
         * ManyUploaded
         * @description What became of each file, in the order in which they were sent; 200 even when some were refused.
         */
        ManyUploaded: {
            files: components["schemas"]["UploadOutcome"][];
        };
        /**
         * ManyUploads
         * @description Small files that come together. Their contents follow in this order, one directly behind the other.
         */
        ManyUploads: {
            files: components["schemas"]["FileToUpload"][];
        };
        /**
         * MemberChange
         * @description What a member becomes; `O` passes the board on, and its owner becomes `M`.
         */
        MemberChange: {
            /** @enum {unknown} */
            memberType: "M" | "O" | "V";
        };
        /**
         * NewShareRequest
         * @description A link with everything that limits it, from its first moment.
         */
        NewShareRequest: {
            objectKeys: string[];
            shareName: string;
            /** @default null */
            expiryDate?: number | null;
            /** @default null */
            password?: string | null;
            /** @default null */
            maxDownloads?: number | null;
        };
        /**
         * ObjectFeed
         * @description Objects of a feed, without the counters of a listing.
         */
        ObjectFeed: {
            objects: components["schemas"]["CloudObject"][];
        };
        /**
         * ObjectListing
         * @description A page of a folder or of the trash.
         */
        ObjectListing: {
            allocatedSpace: number;
            usedSpace: number;
            isUploadAllowed: boolean;
            objects: components["schemas"]["CloudObject"][];
        };
        /**
         * ObjectLocation
         * @description The object as it is now, and the folders from the root down to its parent.
         */
        ObjectLocation: {
            object: components["schemas"]["CloudObject"];
            path: components["schemas"]["PlaceStep"][];
        };
        /**
         * ObjectPage
         * @description A page of objects; the last page has no `nextCursor`.
         */
        ObjectPage: {
            objects: components["schemas"]["CloudObject"][];
            nextCursor?: string;
        };
        /**
         * OffsetConflict
         * @description The error body of a chunk at the wrong place, with the right one.
         */
        OffsetConflict: {
            /** @default null */
            code?: string | null;
            /** @default null */
            message?: string | null;
            /** @default null */
            transactionId?: string | null;
            /** @default null */
            offset?: number | null;
        };
        /**
         * Operation
         * @description What a batch entry does to its object.
         * @enum {unknown}
         */
        Operation: "MOVE" | "RENAME" | "SETFAV" | "TRASH" | "UNSETFAV";
        /**
         * OwnDevice
         * @description A device of the account. It has one session at most; without one, the dates of the session are absent.
         */
        OwnDevice: {
            deviceKey: string;
            deviceName: string;
            deviceType: string;
            platformType: string;
            createdDate: number;
            lastSeenDate: number;
            isLoggedIn: boolean;
            isCurrent: boolean;
            loginDate?: number;
            sessionEndDate?: number;
        };
        /**
         * OwnDevices
         * @description Every device of the account, the one that was seen last at the front.
         */
        OwnDevices: {
            devices: components["schemas"]["OwnDevice"][];
        };
        /**
         * OwnShare
         * @description A link of the caller. An end, a limit or a last visit that it does not have is absent.
         */
        OwnShare: {
            shareKey: string;
            shareName: string;
            shareURL: string;
            isLive: boolean;
            createdDate: number;
            expiryDate?: number;
            hasPassword: boolean;
            maxDownloads?: number;
            downloads: number;
            visits: number;
            lastVisitDate?: number;
            objectKeys: string[];
            objects: components["schemas"]["SharedName"][];
        };
        /**
         * OwnShares
         * @description A page of the links of the caller, newest first; the last page has no `nextCursor`.
         */
        OwnShares: {
            shares: components["schemas"]["OwnShare"][];
            nextCursor?: string;
        };
        /**
         * PasswordChangeRequest
         * @description The password that is, and the one that shall be, of at least 8 characters.
         */
        PasswordChangeRequest: {
            oldPassword: string;
            newPassword: string;
        };
        /**
         * PhoneEntry
         * @description A telephone number.
         */
        PhoneEntry: {
            number: string;
            /** @default null */
            type?: string | null;
        };
        /**
         * PlaceStep
         * @description One folder of the way.
         */
        PlaceStep: {
            objectKey: string;
            objectName: string;
        };
        /**
         * ProcessedEntry
         * @description An operation that was applied, with the object as it is now.
         */
        ProcessedEntry: {
            operation: string;
            correlationId?: string;
            object: components["schemas"]["CloudObject"];
        };
        /**
         * ProfileEditRequest
         * @description The names that others see; what is absent stays as it is.
         */
        ProfileEditRequest: {
            /** @default null */
            firstName?: string | null;
            /** @default null */
            lastName?: string | null;
        };
        /**
         * Promotion
         * @description Storage given for a time.
         */
        Promotion: {
            promotionId: string;
            name: string;
            quota: number;
            startDate: number;
            endDate: number;
        };
        /**
         * Promotions
         * @description Storage promotions that count now, and those that are over.
         */
        Promotions: {
            activePromotions: components["schemas"]["Promotion"][];
            expiredPromotions: components["schemas"]["Promotion"][];
        };
        /**
         * PurgeAnswer
         * @description What is gone and what is not. Its bytes leave `usedSpace` within moments, as they are removed.
         */
        PurgeAnswer: {
            objects: components["schemas"]["PurgedObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * PurgeRequest
         * @description Trashed objects that are to go for good; what is not the key of one ends up in `unprocessed`.
         */
        PurgeRequest: {
            objectKeys: string[];
        };
        /**
         * PurgedObject
         * @description An object that is gone.
         */
        PurgedObject: {
            objectKey: string;
        };
        /**
         * Quota
         * @description Bytes that the account may use and does use.
         */
        Quota: {
            allocatedSpace: number;
            usedSpace: number;
            totalAllocatedQuota: number;
            totalUsedQuota: number;
            documentUsage: number;
            photoUsage: number;
            videoUsage: number;
            audioUsage: number;
            paidPlanQuota: number;
            defaultStorageSpace: number;
            totalPromotionalQuota: number;
        };
        /**
         * ReceivedInvitation
         * @description A board that the user is invited to.
         */
        ReceivedInvitation: {
            boardKey: string;
            boardName: string;
            ownerName: string;
            memberType: string;
            createdDate: number;
            expiresDate: number;
        };
        /**
         * ReceivedInvitations
         * @description A page of invitations, newest first; the last page has no `nextCursor`.
         */
        ReceivedInvitations: {
            invitations: components["schemas"]["ReceivedInvitation"][];
            nextCursor?: string;
        };
        /**
         * RecentObjects
         * @description The newest pictures and videos, and the newest of everything else.
         */
        RecentObjects: {
            objectsImgs: components["schemas"]["CloudObject"][];
            objectsDocs: components["schemas"]["CloudObject"][];
        };
        /**
         * RecoveryCodes
         * @description Codes for the day on which the authenticator is lost, each good for once; nobody is told them again.
         */
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        /**
         * RestoreAnswer
         * @description What was restored and what was not.
         */
        RestoreAnswer: {
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * RestoreRequest
         * @description The objects to take out of the trash; what is not the key of one ends up in `unprocessed`.
         */
        RestoreRequest: {
            objectKeys: string[];
        };
        /**
         * SearchPage
         * @description The best matches first. A page may be short and still have a `nextCursor`; the last one has none.
         *
         *     `folders` are all those above the objects of the page, each once, so that the way to each is known.
         */
        SearchPage: {
            objects: components["schemas"]["CloudObject"][];
            folders: components["schemas"]["FolderAbove"][];
            nextCursor?: string;
        };
        /**
         * SecondFactorBeginRequest
         * @description The password, so that nobody who finds an open session can lock the owner out.
         */
        SecondFactorBeginRequest: {
            password: string;
        };
        /**
         * SecondFactorConfirmRequest
         * @description A first code of the authenticator.
         */
        SecondFactorConfirmRequest: {
            /** @description six digits of the authenticator, or a recovery code; blanks, hyphens and case do not count */
            code: string;
        };
        /**
         * SecondFactorProofRequest
         * @description Both factors: the password, and a code of the authenticator or a recovery code.
         */
        SecondFactorProofRequest: {
            password: string;
            /** @description six digits of the authenticator, or a recovery code; blanks, hyphens and case do not count */
            code: string;
        };
        /**
         * SecondFactorSetup
         * @description What an authenticator needs; nothing is on before a code of it was sent.
         *
         *     `secret` is in base32, to be typed; `otpauthUri` says the same to an application; `qrCode` is that address as rows
         *     of `1` (dark) and `0` (light), without the quiet zone around them.
         */
        SecondFactorSetup: {
            secret: string;
            otpauthUri: string;
            qrCode: string[];
        };
        /**
         * SecondFactorStatus
         * @description Whether a login asks for a code too; the date and the number are there while it does.
         */
        SecondFactorStatus: {
            isOn: boolean;
            onSinceDate?: number;
            recoveryCodesLeft?: number;
        };
        /**
         * ShareEditRequest
         * @description What is to be different; what is absent stays as it is.
         */
        ShareEditRequest: {
            /** @default null */
            shareName?: string | null;
            /** @default null */
            expiryDate?: number | null;
            /** @default null */
            password?: string | null;
            /** @default null */
            maxDownloads?: number | null;
        };
        /**
         * ShareLink
         * @description The link that was made.
         */
        ShareLink: {
            shareURL: string;
        };
        /**
         * ShareRequest
         * @description The link to make; `shareName` is usually the moment, as in `06May2024_070809`.
         */
        ShareRequest: {
            objects: components["schemas"]["SharedObject"][];
            shareName: string;
            /** @enum {unknown} */
            shareType?: "L";
        };
        /**
         * SharedName
         * @description One of the objects that a link shows.
         */
        SharedName: {
            objectKey: string;
            objectName: string;
            objectType: string;
        };
        /**
         * SharedObject
         * @description One object of a link.
         */
        SharedObject: {
            /** @description 32 hexadecimal digits */
            objectKey: string;
        };
        /**
         * Spotlight
         * @description A memory: pictures and videos that belong together in time.
         */
        Spotlight: {
            spotLightId: string;
            title: string;
            date: number;
            objects: components["schemas"]["CloudObject"][];
        };
        /**
         * Spotlights
         * @description Memories of this day in earlier years, then of this month.
         */
        Spotlights: {
            spotLights: components["schemas"]["Spotlight"][];
        };
        /**
         * SupportedDocuments
         * @description What the web client can do with documents.
         */
        SupportedDocuments: {
            supportedExtensions: components["schemas"]["SupportedExtensions"];
        };
        /**
         * SupportedExtensions
         * @description Extensions that the web client can show and edit, and icons for them.
         */
        SupportedExtensions: {
            view: string[];
            edit: string[];
            favIconUrls: {
                [key: string]: string;
            };
        };
        /**
         * TagGiving
         * @description A tag for some objects; it is made where there is none of that name.
         */
        TagGiving: {
            tagName: string;
            objectKeys: string[];
        };
        /**
         * TagList
         * @description A page of all tags, by name; the last page has no `nextCursor`.
         */
        TagList: {
            tags: components["schemas"]["ManualTag"][];
            nextCursor?: string;
        };
        /**
         * TagRenaming
         * @description What the tag is called from now on.
         */
        TagRenaming: {
            tagName: string;
        };
        /**
         * TagTaking
         * @description A tag to take off some objects.
         */
        TagTaking: {
            /** @description 32 hexadecimal digits */
            tagId: string;
            objectKeys: string[];
        };
        /**
         * TaggedAnswer
         * @description The objects that have the tag now, or have it no more, and those that are not there.
         */
        TaggedAnswer: {
            tag?: components["schemas"]["ManualTag"];
            objectKeys: string[];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * TimelineMonth
         * @description A month and how many pictures and videos of it there are.
         */
        TimelineMonth: {
            year: number;
            month: number;
            count: number;
        };
        /**
         * TimelineMonths
         * @description Every month that has something, newest first.
         */
        TimelineMonths: {
            months: components["schemas"]["TimelineMonth"][];
        };
        /**
         * UnfinishedUpload
         * @description An upload that was begun; room for all of `size` is kept for it, and `offset` bytes of it have come.
         */
        UnfinishedUpload: {
            transactionId: string;
            name: string;
            size: number;
            offset: number;
            hash: string;
            folderKey: string;
            createdDate: number;
            lastUpdatedDate: number;
        };
        /**
         * UnfinishedUploads
         * @description A page of uploads that were begun, newest first; the last page has no `nextCursor`.
         */
        UnfinishedUploads: {
            uploads: components["schemas"]["UnfinishedUpload"][];
            nextCursor?: string;
        };
        /**
         * UnjoinAnswer
         * @description Nothing to say: the board was left.
         */
        UnjoinAnswer: Record<string, never>;
        /**
         * UnprocessedContact
         * @description A contact that could not be removed, and why.
         */
        UnprocessedContact: {
            contactId: string;
            errorMessage: string;
            errorCode: string;
        };
        /**
         * UnprocessedEntry
         * @description An operation that was refused. Servers leave out a lot here, so nothing is required.
         */
        UnprocessedEntry: {
            operation?: string;
            correlationId?: string;
            object: components["schemas"]["UnprocessedObject"];
        };
        /**
         * UnprocessedObject
         * @description The object of a refused entry, and why it was refused.
         */
        UnprocessedObject: {
            objectKey: string;
            errorMessage?: string;
            errorCode?: string;
        };
        /**
         * UnreadCard
         * @description A card that could not be read, counted from 1, and why.
         */
        UnreadCard: {
            card: number;
            errorMessage: string;
            errorCode: string;
        };
        /**
         * UploadMetadata
         * @description What is going to be uploaded, and whereto.
         *
         *     With `boardKey` the file is put on that board in the same step; without `folderKey` it then lies in the folder
         *     `Boards/<name of the board>` of the account.
         */
        UploadMetadata: {
            /** @description 1 to 255 bytes of UTF-8 after NFC; no slash, no control character, neither . nor .. */
            name: string;
            size: number;
            /** @description MD5 in hexadecimal */
            hash: string;
            /** @default null */
            folderKey?: string | null;
            /** @default null */
            fileCreatedDate?: number | null;
            /** @default null */
            lastModifiedDate?: number | null;
            sourceName?: string;
            /** @default null */
            sourceFolder?: string | null;
            /** @default null */
            appcode?: string | null;
            /** @default null */
            boardKey?: string | null;
        };
        /**
         * UploadOutcome
         * @description What became of one of many files: the object, or why there is none.
         */
        UploadOutcome: {
            object?: components["schemas"]["CloudObject"];
            errorCode?: string;
            errorMessage?: string;
        };
        /**
         * UploadProgress
         * @description How far an upload has come; the next chunk starts at `offset`.
         */
        UploadProgress: {
            transactionId: string;
            offset: number;
        };
        /**
         * UserProfile
         * @description Who is logged in.
         */
        UserProfile: {
            userId: string;
            authProviderId: number;
            emailId: string;
            firstName: string;
            lastName: string;
            status: string;
            rootFolderKey: string;
            isMobileNumVerified: boolean;
            isEmailIdVerified: boolean;
            mobileNumber: string;
            quota: components["schemas"]["Quota"];
            devices: components["schemas"]["Device"][];
            deletionDate?: number;
        };
        /**
         * VcardExport
         * @description Cards of version 3.0, by name; the last page has no `nextCursor`.
         */
        VcardExport: {
            vcards: string;
            count: number;
            nextCursor?: string;
        };
        /**
         * VcardImport
         * @description Cards of version 2.1, 3.0 or 4.0, one after the other. Pictures in them are not kept.
         */
        VcardImport: {
            vcards: string;
        };
        /**
         * VersionAuthor
         * @description Who made a version.
         */
        VersionAuthor: {
            firstName: string;
        };
        /**
         * VersionRestoreRequest
         * @description Which version of which file is to be the newest one again.
         */
        VersionRestoreRequest: {
            /** @description 32 hexadecimal digits */
            objectKey: string;
            version: number;
        };
    };
    responses: {
        /** @description `SKY1004` The path does not take this method */
        SKY1004: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1004";
                };
            };
        };
        /** @description `SKY1005` The body is larger than this call takes */
        SKY1005: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1005";
                };
            };
        };
        /** @description `SKY1007` Too many requests */
        SKY1007: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1007";
                };
            };
        };
        /** @description `SKY1008` The Content-Type is not the one that this call takes */
        SKY1008: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1008";
                };
            };
        };
        /** @description `SKY1011` What happened since that cursor is no longer known */
        SKY1011: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1011";
                };
            };
        };
        /** @description `SKY2001` This application is not let in */
        SKY2001: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2001";
                };
            };
        };
        /** @description `SKY2008` The second factor is on already */
        SKY2008: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2008";
                };
            };
        };
        /** @description `SKY2009` The second factor is not on, and none was begun */
        SKY2009: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2009";
                };
            };
        };
        /** @description `SKY3000` There is no such file or folder */
        SKY3000: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3000";
                };
            };
        };
        /** @description `SKY3001` There is no such share link */
        SKY3001: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3001";
                };
            };
        };
        /** @description `SKY3002` There is no such board */
        SKY3002: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3002";
                };
            };
        };
        /** @description `SKY3005` There is no such device */
        SKY3005: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3005";
                };
            };
        };
        /** @description `SKY3010` The folder already has something of that name */
        SKY3010: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3010";
                };
            };
        };
        /** @description `SKY3025` There is no such object in the trash */
        SKY3025: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3025";
                };
            };
        };
        /** @description `SKY3030` There is no such tag */
        SKY3030: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3030";
                };
            };
        };
        /** @description `SKY3031` There is no such contact */
        SKY3031: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3031";
                };
            };
        };
        /** @description `SKY3033` There is no such invitation */
        SKY3033: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3033";
                };
            };
        };
        /** @description `SKY3035` Another tag has that name */
        SKY3035: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY3035";
                };
            };
        };
        /** @description `SKY4000` There is no such upload */
        SKY4000: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY4000";
                };
            };
        };
        /** @description `SKY5000` The server met a fault */
        SKY5000: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY5000";
                };
            };
        };
        /** @description `SKY5001` The server cannot reach its storage */
        SKY5001: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY5001";
                };
            };
        };
        /** @description `SKY5002` The server has no room left */
        SKY5002: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY5002";
                };
            };
        };
        /** @description `TEJGA0401` The session is logged out or expired */
        TEJGA0401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "TEJGA0401";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this request in the server's log. */
        "X-Request-Id": string;
        /** @description After how many seconds it is worth another try. */
        "Retry-After": string;
        /** @description The methods that the path takes. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile of the user, with quota and devices; 200 means that the session is valid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    promotions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Active and expired storage promotions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    app_settings: {
        parameters: {
            query?: {
                os?: "web";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup policy, and what clients should know about the server. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSettings"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    cookie_nonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CookieNonceRequest"];
            };
        };
        responses: {
            /** @description A nonce that opens downloads for ten minutes, in the body and as a cookie. */
            200: {
                headers: {
                    /** @description The nonce as `skyshelf_nonce`, HttpOnly, SameSite=Strict. */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CookieNonce"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            /** @description `TEJGA0401` The session is logged out or expired; `SKY2003` The JWT is not valid for this session */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "TEJGA0401" | "SKY2003";
                    };
                };
            };
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                "Sec-Fetch-Site"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Opens a session with e-mail address and password. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001";
                    };
                };
            };
            /** @description `SKY2000` The e-mail address or the password is wrong; `SKY2005` The password is right, and a code of the second factor is needed too; `SKY2006` The code of the second factor is wrong, or was used already */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2000" | "SKY2005" | "SKY2006";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session that calls, without its token: what a page needs to know after it was loaded anew. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChangeRequest"];
            };
        };
        responses: {
            /** @description Changes the password; every other session ends, and this one stays. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    edit_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileEditRequest"];
            };
        };
        responses: {
            /** @description Changes the names that others see. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    own_devices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices of the account, and which of them are logged in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnDevices"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    end_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logs out every device but the one that calls. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_device: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    delete_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletionRequest"];
            };
        };
        responses: {
            /** @description Announces that the account is to go for good, when a time of grace is over. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletion"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    keep_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether a login asks for a code too, since when, and how many recovery codes are left. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorStatus"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorBeginRequest"];
            };
        };
        responses: {
            /** @description Makes a secret for an authenticator. Nothing is on yet; to begin again forgets the secret before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorSetup"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2008"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    confirm_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorConfirmRequest"];
            };
        };
        responses: {
            /** @description Turns the second factor on, by a code of the authenticator. Tells the recovery codes, this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2007` The code is wrong, or was used already */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2007";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            /** @description `SKY2008` The second factor is on already; `SKY2009` The second factor is not on, and none was begun */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2008" | "SKY2009";
                    };
                };
            };
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    turn_off_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProofRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2004` The password is wrong; `SKY2007` The code is wrong, or was used already */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004" | "SKY2007";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2009"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    renew_recovery_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProofRequest"];
            };
        };
        responses: {
            /** @description Makes new recovery codes, by the password and a code; those before are worth nothing any more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2004` The password is wrong; `SKY2007` The code is wrong, or was used already */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004" | "SKY2007";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2009"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    default_view: {
        parameters: {
            query: {
                /** @description 32 hexadecimal digits */
                folderKey: string;
                limit?: number;
                /** @description refused with `NMSOM0129` */
                type?: "f" | "w";
                sort?: "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is in a folder. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `NMSOM0129` provide valid value for folder(W) or file(F) search; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "NMSOM0129" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    listing: {
        parameters: {
            query: {
                /** @description 32 hexadecimal digits */
                folderKey: string;
                limit?: number;
                /** @description refused with `NMSOM0129` */
                type?: "f" | "w";
                sort?: "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is in a folder, page by page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `NMSOM0129` provide valid value for folder(W) or file(F) search; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "NMSOM0129" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description Favourite, unfavourite, rename, move and trash; each entry is applied or refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `NMSOM0135` Request is not proper; `TEJVF0001` constraint validation on objectName for value null; `NMSOM0021` Source name is null or empty; `SKY1002` The name is not one that a file or folder can have; `SKY3022` The root folder cannot be renamed, moved or trashed; `SKY3023` A folder cannot be moved into itself or below itself; `SKY3024` The target of the move is not a folder of this account */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "NMSOM0135" | "TEJVF0001" | "NMSOM0021" | "SKY1002" | "SKY3022" | "SKY3023" | "SKY3024";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY3010"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            /** @description Takes objects out of the trash. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    trash: {
        parameters: {
            query?: {
                limit?: number;
                sort?: "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is in the trash, newest trashed first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    legacy_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LegacyDeleteRequest"];
            };
        };
        responses: {
            /** @description Does nothing: every key comes back unprocessed. Use the TRASH operation of the batch call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyDeleteAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    versions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions of a file, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileVersions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY3021` The key belongs to a folder */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY3021";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    create_folder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderCreation"];
            };
        };
        responses: {
            /** @description Creates a folder. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1002` The name is not one that a file or folder can have; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1002" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY3010"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    object_place: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One object as it is now, with the folders that lead to it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectLocation"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    purge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurgeRequest"];
            };
        };
        responses: {
            /** @description Deletes chosen objects of the trash for good; each is gone or refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurgeAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3025"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    empty_trash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes everything in the trash for good; answers at once, however much that is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyTrashAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    restore_version: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VersionRestoreRequest"];
            };
        };
        responses: {
            /** @description Makes the content of an earlier version the newest version of the file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key; `SKY3021` The key belongs to a folder */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY3021";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            /** @description `SKY3000` There is no such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3003";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            /** @description `SKY1005` The body is larger than this call takes; `SKY4007` The storage of the account is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4007";
                    };
                };
            };
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    search: {
        parameters: {
            query?: {
                query?: string;
                extension?: string;
                kind?: "audio" | "document" | "folder" | "photo" | "video";
                isFavorite?: boolean;
                sizeFrom?: number;
                sizeTo?: number;
                /** @description epoch milliseconds, UTC */
                modifiedFrom?: number;
                /** @description epoch milliseconds, UTC */
                modifiedTo?: number;
                /** @description epoch milliseconds, UTC */
                createdFrom?: number;
                /** @description epoch milliseconds, UTC */
                createdTo?: number;
                /** @description epoch milliseconds, UTC */
                takenFrom?: number;
                /** @description epoch milliseconds, UTC */
                takenTo?: number;
                tag?: string;
                /** @description 32 hexadecimal digits */
                folderKey?: string;
                /** @description of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Finds objects by words of their names, and by what they are; the best match first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` The key is not a key; `SKY1010` The cursor is not one of this list; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    changes: {
        parameters: {
            query?: {
                /** @description where an earlier answer ended */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened in the account since a cursor, oldest first; without one, the cursor of now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1011"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    everything: {
        parameters: {
            query?: {
                /** @description where an earlier answer ended */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All objects of the account, page by page, to begin from before following its changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Everything"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    change_stream: {
        parameters: {
            query?: {
                /** @description where an earlier answer ended */
                cursor?: string;
                /** @description 32 hexadecimal digits */
                boardKey?: string;
                invitations?: boolean;
                seconds?: number;
            };
            header?: {
                /** @description where an earlier answer ended */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes as they happen, as server-sent events: pages whose id is the cursor, and word of boards. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1011"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    recent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest pictures and videos, and the newest other files. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecentObjects"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    spotlights: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Memories: pictures and videos of this day and of this month in earlier years. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spotlights"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    shared_by_me: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                sort?: "+smd" | "-smd";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Objects with a live share link, newest share first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectFeed"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    linked_app: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                appcode?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Objects that an app uploaded under its code. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectFeed"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    recent_tags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tags used lately, as a bare array. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualTag"][];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    object_tags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags of an object, as a bare array. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualTag"][];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    supported_documents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Extensions that the web client can show and edit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportedDocuments"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    tag_list: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tags, by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    add_tag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagGiving"];
            };
        };
        responses: {
            /** @description Gives a tag to files and folders; each gets it or is refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    tagged_objects: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                tag_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What bears a tag, tagged last first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3030"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    rename_tag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagRenaming"];
            };
        };
        responses: {
            /** @description Renames a tag, on everything that bears it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualTag"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3030"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY3035"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    delete_tag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3030"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_tag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagTaking"];
            };
        };
        responses: {
            /** @description Takes a tag off files and folders; one that nothing bears any more is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            /** @description `SKY3030` There is no such tag; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3030" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    timeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many pictures and videos there are of each month, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineMonths"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    timeline_objects: {
        parameters: {
            query: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
                year: number;
                month: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pictures and videos of a month, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    favorites: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
                order?: "name" | "newest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Favourites, newest first or by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    own_shares: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The share links of the user, newest first, expired and used up ones too. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShares"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    add_share: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewShareRequest"];
            };
        };
        responses: {
            /** @description Creates a public link that may have an end, a password and a number of downloads. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    own_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One share link of the user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    edit_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareEditRequest"];
            };
        };
        responses: {
            /** @description Changes the name, the end, the password or the number of downloads of a share link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    revoke_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                share_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    create_share: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareRequest"];
            };
        };
        responses: {
            /** @description Creates a public link to one or several objects. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    share_page: {
        parameters: {
            query?: {
                u?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public page of a share link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY3001` There is no such share link */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1004";
                    };
                };
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    share_page_head: {
        parameters: {
            query?: {
                u?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public page of a share link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3001` There is no such share link */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    download: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: {
                Range?: string;
                "If-Range"?: string;
                "If-None-Match"?: string;
                "If-Modified-Since"?: string;
            };
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of a file, whole or in ranges. */
            200: {
                headers: {
                    /** @description The quoted MD5 of the content. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The quoted MD5 of the content. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    /** @description Which bytes of how many. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY3021` The key belongs to a folder */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY3021";
                    };
                };
            };
            /** @description `TEJGA0401` The session is logged out or expired */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "TEJGA0401";
                    };
                };
            };
            /** @description `SKY2001` This application is not let in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001";
                    };
                };
            };
            /** @description `SKY3000` There is no such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3003";
                    };
                };
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1004";
                    };
                };
            };
            /** @description `SKY1009` The range lies outside the file */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1009";
                    };
                };
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1007";
                    };
                };
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001";
                    };
                };
            };
        };
    };
    download_head: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: {
                Range?: string;
                "If-Range"?: string;
                "If-None-Match"?: string;
                "If-Modified-Since"?: string;
            };
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of a file, whole or in ranges. */
            200: {
                headers: {
                    /** @description The quoted MD5 of the content. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The quoted MD5 of the content. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    /** @description Which bytes of how many. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY3021` The key belongs to a folder */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `TEJGA0401` The session is logged out or expired */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY2001` This application is not let in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` There is no such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range lies outside the file */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    thumbnail: {
        parameters: {
            query?: {
                size?: 256 | 512 | 1080;
                of?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A thumbnail of a picture, video or PDF. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description The client has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000";
                    };
                };
            };
            /** @description `TEJGA0401` The session is logged out or expired */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "TEJGA0401";
                    };
                };
            };
            /** @description `SKY2001` This application is not let in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001";
                    };
                };
            };
            /** @description `SKY3000` There is no such file or folder; `SKY3004` There is no thumbnail for this file */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3004";
                    };
                };
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1004";
                    };
                };
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1007";
                    };
                };
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001";
                    };
                };
            };
        };
    };
    thumbnail_head: {
        parameters: {
            query?: {
                size?: 256 | 512 | 1080;
                of?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A thumbnail of a picture, video or PDF. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `TEJGA0401` The session is logged out or expired */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY2001` This application is not let in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` There is no such file or folder; `SKY3004` There is no thumbnail for this file */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` The path does not take this method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1007` Too many requests */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` The server met a fault */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contents: {
        parameters: {
            query: {
                /** @description 1 to 64 keys of files, with commas between them */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contents of many small files of one's own, one after the other. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    board_list: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                albumType?: "p";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The boards that the user is a member of. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardList"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    create_board: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardCreation"];
            };
        };
        responses: {
            /** @description Creates a board. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    board_details: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                sort?: "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
            };
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A board and what is on it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardDetails"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    board_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roster of a board. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardMembers"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    leave_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown[];
            };
        };
        responses: {
            /** @description Leaves a board; it passes to the oldest member, or is gone with the last one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnjoinAnswer"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    add_to_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardObjectsRequest"];
            };
        };
        responses: {
            /** @description Puts files of the user on a board; each is shown or refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardAdditions"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY3021` The key belongs to a folder */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY3021";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_from_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardObjectsRequest"];
            };
        };
        responses: {
            /** @description Takes files off a board: the user's own, or, for the owner, anybody's. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardRemovals"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            /** @description `SKY3002` There is no such board; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    set_board_cover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardCover"];
            };
        };
        responses: {
            /** @description Chooses the file that stands for a board. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    edit_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoardEditing"];
            };
        };
        responses: {
            /** @description Changes the name or the description of a board. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    delete_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    board_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is invited to a board and has not answered, and the links to it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardInvitations"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    invite_to_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description Invites an e-mail address; the answer does not tell whether an account has it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardInvitation"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    revoke_board_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                invitation_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3033` There is no such invitation */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3033";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    create_board_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description Makes a link that brings whoever has it onto a board. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardLink"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    revoke_board_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                link_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3033` There is no such invitation */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3033";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    set_board_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description Makes a member an editor, a viewer or the owner. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardMembers"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3034` Nobody of that key is on the board */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3034";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_board_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3034` Nobody of that key is on the board */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3034";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    board_comments: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Comments on a board, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardComments"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    add_board_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentCreation"];
            };
        };
        responses: {
            /** @description Says something about a board, or about a file on it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardComment"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            /** @description `SKY3002` There is no such board; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    edit_board_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                comment_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentEditing"];
            };
        };
        responses: {
            /** @description Changes a comment of the user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardComment"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3032` There is no such comment on this board */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3032";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_board_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                board_key: string;
                comment_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3032` There is no such comment on this board */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3032";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    received_invitations: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The boards that the user is invited to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedInvitations"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    accept_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acceptance"];
            };
        };
        responses: {
            /** @description Joins a board: one that the user is invited to, or by a link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3033"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    decline_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Declining"];
            };
        };
        responses: {
            /** @description Declines an invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` The key is not a key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3033"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    contacts: {
        parameters: {
            query?: {
                sort?: "displayname";
                onlyActive?: boolean;
                /** @description yyyy-MM-dd HH:mm:ss.SSSSSS, UTC; refused with `TEJRF0400` */
                nextPageDate?: string;
            };
            header: {
                /** @description refused with `TEJRF0400` */
                "X-Offset": number;
                /** @description refused with `TEJRF0400` */
                "X-CHUNK-SIZE"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts, paged by headers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `TEJRF0400` Missing or invalid X-Offset / nextPageDate must be a valid time */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "TEJRF0400";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    contact_emails: {
        parameters: {
            query?: never;
            header: {
                /** @description refused with `TEJRF0400` */
                "X-Offset": number;
                /** @description refused with `TEJRF0400` */
                "X-CHUNK-SIZE"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description E-mail addresses of contacts, paged by headers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactEmailList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `TEJRF0400` Missing or invalid X-Offset / nextPageDate must be a valid time */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "TEJRF0400";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    add_contact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactRequest"];
            };
        };
        responses: {
            /** @description Adds a contact. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    edit_contact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contact_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactRequest"];
            };
        };
        responses: {
            /** @description Replaces all of a contact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3031"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    remove_contacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactRemoval"];
            };
        };
        responses: {
            /** @description Removes contacts; each is removed or refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRemovals"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3031"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    import_contacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VcardImport"];
            };
        };
        responses: {
            /** @description Adds a contact for every card of a vCard file; each is read or refused on its own. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedContacts"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY3036` The card cannot be read */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY3036";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY1005"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    export_contacts: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts as vCards, by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VcardExport"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    banners: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Promo banners to show now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannerList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    upload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    metadataString: components["schemas"]["UploadMetadata"];
                    file: string;
                };
            };
        };
        responses: {
            /** @description Uploads a small file in one call: a field `metadataString` with JSON, and a part `file`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1002` The name is not one that a file or folder can have; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file; `SKY4004` The file does not have the MD5 that was announced; `SKY4005` The file does not have the size that was announced */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY1002" | "SKY1003" | "SKY3020" | "SKY4004" | "SKY4005";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3000` There is no such file or folder; `SKY3002` There is no such board */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3002";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY3010"];
            /** @description `SKY1005` The body is larger than this call takes; `SKY4006` The file is larger than this server takes; `SKY4007` The storage of the account is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4006" | "SKY4007";
                    };
                };
            };
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
            507: components["responses"]["SKY5002"];
        };
    };
    upload_many: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    metadataString: components["schemas"]["ManyUploads"];
                    file: string;
                };
            };
        };
        responses: {
            /** @description Uploads many small files in one call: a field `metadataString` with JSON, and then a part `file` with the contents of all of them, one directly behind the other. Each file succeeds or is refused by itself. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManyUploaded"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1002` The name is not one that a file or folder can have; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file; `SKY4004` The file does not have the MD5 that was announced; `SKY4005` The file does not have the size that was announced */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY1002" | "SKY1003" | "SKY3020" | "SKY4004" | "SKY4005";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY3010"];
            /** @description `SKY1005` The body is larger than this call takes; `SKY4006` The file is larger than this server takes; `SKY4007` The storage of the account is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4006" | "SKY4007";
                    };
                };
            };
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
            507: components["responses"]["SKY5002"];
        };
    };
    initiate_upload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadMetadata"];
            };
        };
        responses: {
            /** @description Begins or resumes an upload, or ends it at once with the object where no byte of it is missing. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadProgress"] | components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1002` The name is not one that a file or folder can have; `SKY1003` The key is not a key; `SKY3020` The key belongs to a file; `SKY4004` The file does not have the MD5 that was announced */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY1002" | "SKY1003" | "SKY3020" | "SKY4004";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` There is no such board; `SKY3000` There is no such file or folder; `SKY4000` There is no such upload */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3002" | "SKY3000" | "SKY4000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            /** @description `SKY3010` The folder already has something of that name; `SKY4002` Another chunk of this upload is being received */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4002";
                    };
                };
            };
            /** @description `SKY1005` The body is larger than this call takes; `SKY4006` The file is larger than this server takes; `SKY4007` The storage of the account is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4006" | "SKY4007";
                    };
                };
            };
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
            507: components["responses"]["SKY5002"];
        };
    };
    upload_chunk: {
        parameters: {
            query: {
                uploadId: string;
            };
            header: {
                "X-Offset": number;
                /** @description MD5 in hexadecimal */
                "Content-MD5": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Sends the next chunk (200); the last one finishes the file (201). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadProgress"];
                };
            };
            /** @description Sends the next chunk (200); the last one finishes the file (201). */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY4003` The chunk does not have the MD5 that its header gives; `SKY4004` The file does not have the MD5 that was announced; `SKY4005` The file does not have the size that was announced */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY4003" | "SKY4004" | "SKY4005";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not let in; `SKY2002` The operation is not permitted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2002";
                    };
                };
            };
            /** @description `SKY4000` There is no such upload; `SKY3002` There is no such board; `SKY3000` There is no such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY4000" | "SKY3002" | "SKY3000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            /** @description `SKY3010` The folder already has something of that name; `SKY4001` The chunk does not start where the upload ends; `SKY4002` Another chunk of this upload is being received */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4001" | "SKY4002";
                    } & components["schemas"]["OffsetConflict"];
                };
            };
            /** @description `SKY1005` The body is larger than this call takes; `SKY4007` The storage of the account is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4007";
                    };
                };
            };
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
            507: components["responses"]["SKY5002"];
        };
    };
    unfinished_uploads: {
        parameters: {
            query?: {
                /** @description the `nextCursor` of the page before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploads of the user that were begun and are not finished, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfinishedUploads"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor is not one of this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
    give_up_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY4000"];
            405: components["responses"]["SKY1004"];
            429: components["responses"]["SKY1007"];
            500: components["responses"]["SKY5000"];
            503: components["responses"]["SKY5001"];
        };
    };
}
