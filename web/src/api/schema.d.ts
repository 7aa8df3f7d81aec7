// Written by scripts/types.mjs from docs/openapi.json.
export interface paths {
    "/security/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The user's profile, quota and devices; 200 means that the session is valid. */
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
        /** The backup policy and the server's settings for clients. */
        get: operations["app_settings"];
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
        /** The promotional banners to show now. */
        get: operations["banners"];
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
        /** A nonce that authorises downloads for ten minutes, in the body and as a cookie. */
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
        /** Logs in with an email address and a password. */
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
        /** The current session without its token, for pages that are reloaded. */
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
        /** Ends the session; its token stops working. With a body: all sessions, or that of another device. */
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
        /** Changes the password and ends all other sessions. */
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
        /** Changes the user's names. */
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
        /** The account's devices, and which of them are logged in. */
        get: operations["own_devices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened in the account: logins, failures, shares, downloads by link, deletions; newest first. */
        get: operations["account_events"];
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
        /** Logs out one device. */
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
        /** Logs out every device except the calling one. */
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
        /** Names a device; it keeps the name when it logs in again. */
        put: operations["rename_device"];
        post?: never;
        /** Removes a device and logs it out. */
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
        /** Schedules the account for permanent deletion after a grace period. */
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
        /** Cancels the pending deletion of the account. */
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
        /** Whether the second factor is on, since when, and how many recovery codes are left. */
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
        /** Creates a secret for an authenticator app. The second factor stays off until it is confirmed; another call replaces the secret. */
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
        /** Turns the second factor on with a code from the authenticator app, and returns the recovery codes once. */
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
        /** Turns the second factor off with the password and a code, or with a passkey. No session ends. */
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
        /** Creates new recovery codes with the password and a code, or with a passkey; the old ones stop working. */
        post: operations["renew_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/login/passkey/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A challenge for a login with any passkey of this host. Nothing is stored. */
        post: operations["begin_passkey_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs in with a passkey, without a password. It counts as both factors. */
        post: operations["passkey_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's passkeys: their names, what each can do, and when it was last used. */
        get: operations["passkeys"];
        put?: never;
        /** Adds the passkey that a browser has created, in the session that began it. */
        post: operations["add_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/passkeys/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The options that a browser needs to create a passkey; needs the credentials of a login. */
        post: operations["begin_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A challenge for one of the account's passkeys, to confirm a change in this session. Nothing is stored. */
        post: operations["passkey_challenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/passkeys/{passkey_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Names a passkey. */
        put: operations["rename_passkey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/passkeys/{passkey_key}/removal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes a passkey; needs the credentials of a login. No session ends. */
        post: operations["remove_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/account/second-factor/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turns the second factor on with a passkey instead of an authenticator app, and returns the recovery codes once. */
        post: operations["second_factor_by_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/app-passwords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's app passwords: what each may do, and when it was last used. */
        get: operations["app_passwords"];
        put?: never;
        /** Creates an app password; needs the credentials of a login: the password, or a passkey. */
        post: operations["add_app_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/app-passwords/{device_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes an app password; the app is refused from its next request on. */
        delete: operations["revoke_app_password"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/login/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Completes a login through a provider: opens a session, as a cookie, for the person that the provider named. */
        post: operations["login_by_provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's identities at login providers, and the providers that could be linked. */
        get: operations["identities"];
        put?: never;
        /** Links the identity that the provider has named to the account that began it. */
        post: operations["finish_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/identities/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts linking an identity, with the account's password; returns the provider's page to open. */
        post: operations["begin_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/identities/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unlinks an identity, unless nothing else opens the account. No session ends. */
        post: operations["unlink_identity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/welcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server has no accounts yet; with a one-time link's token, what the link does. */
        get: operations["welcome"];
        put?: never;
        /** Uses a one-time link: creates the first account, or sets an account's password and ends its sessions. */
        post: operations["use_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/password-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a one-time link for a new password by email, if there is an account with that address. */
        post: operations["request_password_mail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The server's accounts, for its operators. */
        get: operations["admin_accounts"];
        put?: never;
        /** Adds an account; its one-time link invites the person to set a password. */
        post: operations["admin_add_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Disables or enables an account, or changes its quota. A disabled account's sessions end. */
        put: operations["admin_edit_account"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a one-time link that sets the account's password; an earlier one stops working. */
        post: operations["admin_password_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/operator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Makes an account an operator, or revokes that. */
        put: operations["admin_operator_role"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/second-factor/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turns off an account's second factor and, if asked to, removes its passkeys. */
        post: operations["admin_reset_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Schedules an account for permanent deletion after a grace period. */
        post: operations["admin_delete_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/deletion/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels the pending deletion of an account. */
        post: operations["admin_keep_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sessions that were used last, of all accounts. */
        get: operations["admin_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sessions of one account. */
        get: operations["admin_account_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Devices of all accounts that are paused, because they changed unusually much. */
        get: operations["admin_alarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/accounts/{account_key}/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs out one device of an account, or all of them. */
        post: operations["admin_end_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/banners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All banners: current, past and future. */
        get: operations["admin_banners"];
        put?: never;
        /** Adds a banner, which clients show to everybody. */
        post: operations["admin_add_banner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/banners/{banner_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a banner. */
        put: operations["admin_edit_banner"];
        post?: never;
        /** Removes a banner. */
        delete: operations["admin_remove_banner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of the server, its stores and its background jobs. */
        get: operations["admin_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/admin/brakes/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a background job that a brake has stopped run for a day; other jobs are not affected. */
        post: operations["admin_release_brake"];
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
        /** A folder's contents. */
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
        /** A folder's contents, in pages. */
        get: operations["listing"];
        /** The batch call with flat entries; FRN is a rename. */
        put: operations["flat_batch"];
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
        /** Favourites, renames, moves and trashes objects; each entry is applied or refused separately. */
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
        /** Restores objects from the trash. */
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
        /** The trash, most recently trashed first. */
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
         * Does nothing: every key is returned as unprocessed. Use the batch call's TRASH operation.
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
        /** A file's versions, newest first. */
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
        /** An object with the folders above it. */
        get: operations["object_location"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The folders above many objects, which may be in the trash. */
        get: operations["locations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/covers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Up to four pictures of each of many folders. */
        get: operations["covers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/copies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies files, and folders without their contents, into a folder; each is copied or refused separately. */
        post: operations["copy"];
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
        /** Permanently deletes objects from the trash; each is deleted or refused separately. */
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
        /** Empties the trash permanently; responds at once, whatever its size. */
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
        /** Restores an earlier version as the file's newest one. */
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
        /** Finds objects by words in their names and by their properties, best match first. */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the account's space is used for: files by kind, earlier versions, the trash. */
        get: operations["storage_use"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/storage/largest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files, the largest first. */
        get: operations["largest_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/storage/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Groups of files with the same content. */
        get: operations["duplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/storage/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files with earlier versions, those whose versions take the most space first. */
        get: operations["old_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/storage/versions/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Permanently deletes the earlier versions of files; their current content stays. */
        post: operations["remove_versions"];
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
        /** Changes since a cursor, oldest first; without a cursor, only the current one. */
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
        /** All objects of the account in pages: the starting point for following changes. */
        get: operations["everything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/epoch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The epoch of the server's data: it changes when they are restored from a backup, moved, or go back. */
        get: operations["epoch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/objects/{object_key}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to one object, newest first: up to 50 of the account's latest 20,000 changes. */
        get: operations["object_changes"];
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
        /** A live stream of changes as server-sent events, whose ids are cursors; it can also watch a board and invitations. */
        get: operations["change_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Changes, newest first, with the state before and after, and who made them. */
        get: operations["history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/folders/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The contents of a folder at a given time. */
        get: operations["past_folder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/objects/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file or folder as it was at a given time, and its path. */
        get: operations["past_object"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was added, removed, moved or changed between two times, one entry per file or folder. */
        get: operations["history_differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/history/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The content that a file had at a given time, whole or in ranges. */
        get: operations["past_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** The content that a file had at a given time, whole or in ranges. */
        head: operations["past_file_head"];
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How long history is kept, how far it goes back, and how much space it takes. */
        get: operations["history_settings"];
        /** Sets how long history is kept, up to the operator's limit; fewer days need confirmation. */
        put: operations["set_history"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets all history up to now; needs the credentials of a login, because deleted files can no longer be restored. */
        post: operations["forget_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/operator-consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether an operator may rewind the account, once, and until when. */
        get: operations["operator_consent"];
        /** Lets an operator rewind the account, once, for a limited time, or withdraws that. */
        put: operations["set_operator_consent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Devices that made unusually many changes in a short time, and what was decided about them. */
        get: operations["alarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/alarms/{device_key}/allow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a paused device continue. A device that is paused itself needs the credentials of a login for this. */
        post: operations["allow_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/alarms/{device_key}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs out a paused device; if it is an app, its password is revoked. */
        post: operations["end_paused_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/alarms/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limit at which a device is paused. */
        get: operations["alarm_settings"];
        /** Chooses the limit at which a device is paused, or turns the alarm off. */
        put: operations["set_alarm_limit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The plan of a rewind, in pages. Nothing changes. */
        post: operations["plan_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's latest rewinds, the newest first. */
        get: operations["rewinds"];
        put?: never;
        /** Starts a rewind. It runs in the background and survives restarts of the server. */
        post: operations["start_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind/{rewind_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A rewind and its progress. */
        get: operations["rewind"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind/{rewind_key}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a rewind could not undo, and why. */
        get: operations["rewind_problems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind/{rewind_key}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a rewind; what it has done stays and can be undone. Does nothing if it has ended. */
        post: operations["cancel_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/rewind/{rewind_key}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undoes everything that a rewind has done, by another rewind. Later changes stay. */
        post: operations["undo_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/proof/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed head of the log of all changes. */
        get: operations["history_head"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/proof/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The proof that the log continues an earlier one. */
        get: operations["history_consistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/proof/inclusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The proof that the log has a change. */
        get: operations["history_inclusion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/proof/leaves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Leaves of the log: the hashes of changes, and their records while they are kept. */
        get: operations["history_leaves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/history/proof/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys that sign heads, former ones too, and when the server was restored from a backup. */
        get: operations["history_keys"];
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
        /** Memories: pictures and videos from this day and this month in earlier years. */
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
        /** Objects that an app uploaded. */
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
        /** Recently used tags, as a bare array. */
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
        /** An object's tags, as a bare array. */
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
        /** File extensions that the web client can view and edit. */
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
        /** All tags, ordered by name. */
        get: operations["tag_list"];
        put?: never;
        /** Adds a tag to files and folders; each is tagged or refused separately. */
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
        /** The objects with a tag, most recently tagged first. */
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
        /** Renames a tag everywhere. */
        put: operations["rename_tag"];
        post?: never;
        /** Deletes a tag; its objects stay. */
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
        /** Removes a tag from files and folders; an unused tag is deleted. */
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
        /** The number of pictures and videos per month, newest first. */
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
        /** A month's pictures and videos, newest first, with their shapes and places. */
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
        /** The favourites, newest first or by name. */
        get: operations["favorites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/photos/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When and where pictures and videos were taken, and their shape. */
        get: operations["photo_facts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/photos/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The pictures and videos whose place is known, in pages. */
        get: operations["photo_places"];
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
        /** The user's share links, newest first, including expired and used up ones. */
        get: operations["own_shares"];
        put?: never;
        /** Creates a public link, to look at objects or to send files into a folder, with optional limits. */
        post: operations["add_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The user's public links to a board, newest first. */
        get: operations["board_shares"];
        put?: never;
        /** Creates a public link to a board that the user owns, with optional limits. */
        post: operations["add_board_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/guest-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who added which files to a board without an account: the newest 1,000. */
        get: operations["board_guest_files"];
        put?: never;
        post?: never;
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
        /** One of the user's share links. */
        get: operations["own_share"];
        /** Changes a share link's name, rights, expiry, password or limits. */
        put: operations["edit_share"];
        post?: never;
        /** Revokes a share link. */
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
        /** Creates a public link to one or more objects. */
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
        /** A share link's public page. */
        get: operations["share_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A share link's public page. */
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
        /** A file's content, whole or in ranges. */
        get: operations["download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A file's content, whole or in ranges. */
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
        /** The contents of many small files in one response. */
        get: operations["contents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/placeholders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tiny pictures to show until thumbnails have loaded. */
        get: operations["placeholders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Prepares one ZIP file of the given files and folders. */
        post: operations["create_archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/archives/{archive_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A prepared ZIP file, whole or in ranges. */
        get: operations["download_archive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A prepared ZIP file, whole or in ranges. */
        head: operations["download_archive_head"];
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
        /** The user's boards. */
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
        /** A board and its files. */
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
        /** The members of a board. */
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
        /** Leaves a board. If the owner leaves, the oldest member becomes the owner; an empty board is deleted. */
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
        /** Adds the user's files to a board; each is added or refused separately. */
        post: operations["add_to_board"];
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
        /** Sets a board's cover. */
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
        /** Changes a board's name or description. */
        put: operations["edit_board"];
        post?: never;
        /** Deletes a board; the files stay with their owners. */
        delete: operations["delete_board"];
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
        /** Removes files from a board: the user's own, or any if the user owns the board. */
        post: operations["remove_from_board"];
        delete?: never;
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
        /** A board's pending invitations and its join links. */
        get: operations["board_invitations"];
        put?: never;
        /** Invites an email address; the response does not reveal whether it has an account. */
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
        /** Revokes an invitation. */
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
        /** Creates a link with which anyone can join a board. */
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
        /** Revokes a join link; members who used it stay. */
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
        /** Changes a member's role to editor, viewer or owner. */
        put: operations["set_board_role"];
        post?: never;
        /** Removes a member and the member's files from the board. */
        delete: operations["remove_board_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who joined and left a board, and who added and removed files, newest first. */
        get: operations["board_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x/v1/boards/{board_key}/contributors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who added files to a board, and when. */
        get: operations["board_contributors"];
        put?: never;
        post?: never;
        delete?: never;
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
        /** The comments on a board, newest first. */
        get: operations["board_comments"];
        put?: never;
        /** Adds a comment to a board or to a file on it. */
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
        /** Edits one of the user's comments. */
        put: operations["edit_board_comment"];
        post?: never;
        /** Removes one of the user's comments; the board's owner can remove any. */
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
        /** The user's pending invitations to boards. */
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
        /** Joins a board by an invitation or a link. */
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
        /** The contacts, paged by headers. */
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
        /** The contacts' email addresses, paged by headers. */
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
        /** Replaces a contact. */
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
        /** Removes contacts; each is removed or refused separately. */
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
        /** Imports every card of a vCard file; each is imported or refused separately. */
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
        /** Exports contacts as vCards, ordered by name. */
        get: operations["export_contacts"];
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
        /** Uploads a small file in one call: a field `metadataString` with JSON and a part `file`. */
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
        /** Uploads many small files in one call: a field `metadataString` with JSON, then a part `file` with the contents of all of them, one directly after the other. Each file succeeds or is refused separately. */
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
        /** Starts or resumes an upload; returns the object at once if no byte is missing. */
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
        /** Sends the next chunk (200); the last one completes the file (201). */
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
        /** The user's unfinished uploads, newest first. */
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
        /** Cancels an upload and frees its reserved space at once. */
        delete: operations["cancel_upload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/defaultview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A folder's contents. */
        get: operations["short_default_view"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/mimetype/myfiles/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All files of one kind: photos, videos, documents, audio or others. */
        get: operations["category"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/info/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One object. */
        get: operations["object_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ase/search/keyword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds objects by words in their names, best match first. */
        get: operations["keyword"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Moves objects to the trash; each is moved or refused separately. */
        put: operations["trash_objects"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boards/{board_key}/addition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds the user's files to a board; each is added or refused separately. */
        post: operations["board_addition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/token/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Renews a session: a new token at once, and the old one stops working after a minute. */
        put: operations["refresh_token_by_put"];
        /** Renews a session: a new token at once, and the old one stops working after a minute. */
        post: operations["refresh_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file's content, whole or in ranges. */
        get: operations["short_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A file's content, whole or in ranges. */
        head: operations["short_download_head"];
        patch?: never;
        trace?: never;
    };
    "/nms/metadata/download/{object_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file's content, whole or in ranges. */
        get: operations["metadata_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** A file's content, whole or in ranges. */
        head: operations["metadata_download_head"];
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Error
         * @description The body of every error: a code for programs and a message for people.
         */
        Error: {
            code: string;
            message: string;
        };
        /**
         * Acceptance
         * @description The invitation to accept: the board's key, or a link's token.
         */
        Acceptance: {
            /** @default null */
            boardKey?: string | null;
            /** @default null */
            token?: string | null;
        };
        /**
         * AccountDeletion
         * @description When the account will be deleted permanently.
         */
        AccountDeletion: {
            deletionDate: number;
        };
        /**
         * AccountDeletionRequest
         * @description The password: an open session alone cannot delete the account.
         */
        AccountDeletionRequest: {
            password: string;
        };
        /**
         * AccountEditRequest
         * @description What to change; absent fields stay unchanged.
         */
        AccountEditRequest: {
            /** @default null */
            isEnabled?: boolean | null;
            /** @default null */
            quota?: number | null;
        };
        /**
         * AccountEvent
         * @description Something that happened in the account.
         *
         *     `by` is `you`, `somebody` (who failed to log in), `operator` or `visitor`. Address and device are present only for
         *     the first two.
         */
        AccountEvent: {
            kind: string;
            date: number;
            text: string;
            by: string;
            address?: string;
            deviceKey?: string;
            deviceName?: string;
            objectKey?: string;
            shareKey?: string;
            times: number;
            subject?: string;
        };
        /**
         * AccountEvents
         * @description A page of events; without `nextCursor` it is the last one.
         */
        AccountEvents: {
            events: components["schemas"]["AccountEvent"][];
            nextCursor?: string;
        };
        /**
         * AddedObject
         * @description A file to add.
         */
        AddedObject: {
            objectKey: string;
        };
        /**
         * AdditionAnswer
         * @description The board with its new counters, the files that are on it now, and those that were refused.
         */
        AdditionAnswer: {
            board: components["schemas"]["Board"];
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * AdditionRequest
         * @description The user's own files to add to a board, at most 50.
         */
        AdditionRequest: {
            objects: components["schemas"]["AddedObject"][];
        };
        /**
         * Alarm
         * @description A device that reached the limit. `state` is `open` while it is paused, then `allowed` or `ended`.
         *
         *     The counts are those of the ten minutes before `raisedDate`, or of the last day if only that limit was reached;
         *     `sinceDate` is when the device began. `scrambled` counts files whose content or name looked encrypted, `marked`
         *     changed favourites and tags. A folder that was deleted counts with what was in it, up to 1,000.
         */
        Alarm: {
            deviceKey: string;
            deviceName?: string;
            isAppPassword: boolean;
            isCurrent: boolean;
            raisedDate: number;
            sinceDate: number;
            deleted: number;
            overwritten: number;
            moved: number;
            scrambled: number;
            marked: number;
            state: string;
            decidedDate?: number;
        };
        /**
         * AlarmChoice
         * @description A limit, 0 for no alarm, or null for the operator's. Only a stricter one needs no `confirmation`.
         */
        AlarmChoice: {
            limit: number | null;
            /** @default null */
            confirmation?: components["schemas"]["ConfirmationRequest"] | null;
        };
        /**
         * AlarmList
         * @description The latest alarms, newest first. `isPaused` says whether the calling device waits for a decision.
         */
        AlarmList: {
            alarms: components["schemas"]["Alarm"][];
            isPaused: boolean;
        };
        /**
         * AlarmSettings
         * @description The limit of points within ten minutes, 0 for no alarm; `isOwn` if the account has chosen it.
         */
        AlarmSettings: {
            limit: number;
            isOwn: boolean;
        };
        /**
         * AllowRequest
         * @description How long the device's changes do not count. A device that is paused itself needs `confirmation`.
         */
        AllowRequest: {
            /** @default 24 */
            hours?: number;
            /** @default null */
            confirmation?: components["schemas"]["ConfirmationRequest"] | null;
        };
        /**
         * AppPassword
         * @description The access of one app. Without `folderKey` it opens the whole drive.
         *
         *     `folderName` is absent if the folder is in the trash or deleted; then the app sees nothing.
         */
        AppPassword: {
            deviceKey: string;
            name: string;
            canWrite: boolean;
            folderKey?: string;
            folderName?: string;
            webdavOnly: boolean;
            createdDate: number;
            lastUsedDate?: number;
        };
        /**
         * AppPasswords
         * @description The account's app passwords, the newest first.
         */
        AppPasswords: {
            appPasswords: components["schemas"]["AppPassword"][];
        };
        /**
         * AppSettings
         * @description The server's settings for clients.
         */
        AppSettings: {
            maxFileSize: number;
            chunkSize: number;
            backup: components["schemas"]["BackupPolicy"];
            trashRetentionDays: number;
            versionsKept: number;
        };
        /**
         * ArchiveRequest
         * @description Files and folders for one archive. Its name is that of the object, if there is only one.
         */
        ArchiveRequest: {
            objectKeys: string[];
            archiveName: string;
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
         * @description A banner and the period in which it is shown.
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
         * BannerEditRequest
         * @description What to change; absent fields stay unchanged, and an empty URL is removed.
         */
        BannerEditRequest: {
            /** @default null */
            title?: string | null;
            /** @default null */
            text?: string | null;
            /** @default null */
            imageUrl?: string | null;
            /** @default null */
            actionUrl?: string | null;
            /** @default null */
            startDate?: number | null;
            /** @default null */
            endDate?: number | null;
        };
        /**
         * BannerList
         * @description The banners to show now.
         */
        BannerList: {
            cards: components["schemas"]["BannerCard"][];
        };
        /**
         * BannerRequest
         * @description A new banner, shown from now on and without an end unless dates are given.
         */
        BannerRequest: {
            title: string;
            text: string;
            /** @default null */
            imageUrl?: string | null;
            /** @default null */
            actionUrl?: string | null;
            /** @default null */
            startDate?: number | null;
            /** @default null */
            endDate?: number | null;
        };
        /**
         * BatchAnswer
         * @description The result of each entry; the status is 200 even if entries were refused.
         */
        BatchAnswer: {
            objects: components["schemas"]["ProcessedEntry"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * BatchEntry
         * @description One operation, as a server reads it.
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
         * @description A board and its counters; `memberType` is the caller's role: `O` owner, `M` editor, `V` viewer.
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
         * BoardActivity
         * @description What members did on a board, newest first; a board remembers the last 200 events.
         */
        BoardActivity: {
            events: components["schemas"]["BoardEvent"][];
        };
        /**
         * BoardAdditions
         * @description The files that are on the board now, and those that were refused.
         */
        BoardAdditions: {
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * BoardComment
         * @description A comment; `objectKey` is the file that it refers to, while that is on the board.
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
         * BoardContributor
         * @description Who added a file to a board, and when; `guestName` as in BoardEvent.
         */
        BoardContributor: {
            objectKey: string;
            userId: string;
            firstName: string;
            guestName?: string;
            addedDate: number;
        };
        /**
         * BoardContributors
         * @description The contributors of the requested files that are on the board.
         */
        BoardContributors: {
            contributors: components["schemas"]["BoardContributor"][];
        };
        /**
         * BoardCover
         * @description The board's cover; null for none.
         */
        BoardCover: {
            /** @default null */
            objectKey?: string | null;
        };
        /**
         * BoardCreation
         * @description The board to create; web clients send `parentObjectKey` as null.
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
         * @description A board and its files.
         */
        BoardDetails: {
            board: components["schemas"]["Board"];
            objects: components["schemas"]["BoardObject"][];
        };
        /**
         * BoardEditing
         * @description The fields to change; absent or null fields stay unchanged.
         */
        BoardEditing: {
            /** @default null */
            boardName?: string | null;
            /** @default null */
            boardDescription?: string | null;
        };
        /**
         * BoardEvent
         * @description Something that a member did on a board.
         *
         *     `kind` is `created`, `joined`, `left`, `removed` (by the owner), `added` or `withdrew` (files; `filesCount` says how
         *     many) or `renamed`. `guestName` is present if a guest added files through a public link of the member; it is empty
         *     for a guest without a name.
         */
        BoardEvent: {
            kind: string;
            userId: string;
            firstName: string;
            filesCount?: number;
            guestName?: string;
            date: number;
        };
        /**
         * BoardInvitation
         * @description A pending invitation, whether or not its address has an account.
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
         * @description A board's pending invitations and its join links.
         */
        BoardInvitations: {
            invitations: components["schemas"]["BoardInvitation"][];
            links: components["schemas"]["BoardLink"][];
        };
        /**
         * BoardLink
         * @description A link to join a board; its `token` is all that is needed.
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
         * @description The members of a board.
         */
        BoardMembers: {
            boardMembers: components["schemas"]["BoardMember"][];
        };
        /**
         * BoardObject
         * @description A file on a board. For files of other members, nothing shows where their owner keeps them.
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
            /** @description anything */
            displayName: unknown;
            /** @description anything */
            latestVersion?: unknown;
            createdDate?: number;
            lastUpdatedDate?: number;
            parentObjectType?: string;
            /** @description anything */
            iconName?: unknown;
            /** @description anything */
            tileName?: unknown;
            /** @description anything */
            gridDate?: unknown;
            /** @description anything */
            cMonthNo?: unknown;
            /** @description anything */
            cYear?: unknown;
            /** @description anything */
            recipientsObjRights?: unknown;
            /** @description anything */
            isShareAlbum?: unknown;
        };
        /**
         * BoardObjectsRequest
         * @description Files to add to or remove from a board; an invalid key is returned in `unprocessed`.
         */
        BoardObjectsRequest: {
            objectKeys: string[];
        };
        /**
         * BoardRemovals
         * @description The removed files, and those that were refused.
         */
        BoardRemovals: {
            objectKeys: string[];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * BrakeReleaseRequest
         * @description A stopped job, the reason to let it run anyway, and the password of the operator who decides.
         */
        BrakeReleaseRequest: {
            name: string;
            reason: string;
            /** @description the password of the operator who asks */
            password: string;
        };
        /**
         * Change
         * @description One change of one object.
         */
        Change: {
            kind: string;
            objectKey?: string;
            date: number;
        };
        /**
         * ChangesPage
         * @description Changes, oldest first, and the current state of their objects.
         *
         *     An object that is not among `objects` was deleted permanently. `cursor` is the next cursor, on the last page too. At
         *     another `epoch` than before, the server's data have gone back or were moved: compare everything.
         */
        ChangesPage: {
            changes: components["schemas"]["Change"][];
            objects: components["schemas"]["CloudObject"][];
            cursor: string;
            hasMore: boolean;
            epoch?: string;
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
            /** @description anything */
            displayName: unknown;
            /** @description anything */
            latestVersion: unknown;
            createdDate: number;
            lastUpdatedDate: number;
            parentObjectType?: string;
            /** @description anything */
            iconName?: unknown;
            /** @description anything */
            tileName?: unknown;
            /** @description anything */
            gridDate?: unknown;
            /** @description anything */
            cMonthNo?: unknown;
            /** @description anything */
            cYear?: unknown;
            /** @description anything */
            recipientsObjRights?: unknown;
            /** @description anything */
            isShareAlbum?: unknown;
        };
        /**
         * CommentCreation
         * @description A comment on the board or on one of its files.
         */
        CommentCreation: {
            text: string;
            /** @default null */
            objectKey?: string | null;
        };
        /**
         * CommentEditing
         * @description A comment's new text.
         */
        CommentEditing: {
            text: string;
        };
        /**
         * ConfirmationRequest
         * @description The credentials of a login: the password and, if the second factor is on, a code or a passkey as well. A passkey
         *     that verifies its user is sufficient.
         */
        ConfirmationRequest: {
            /** @default null */
            password?: string | null;
            /** @default null */
            code?: string | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyAssertion"] | null;
        };
        /**
         * ConfirmedRequest
         * @description The operator's own password: an open session alone is not enough for this.
         */
        ConfirmedRequest: {
            /** @description the password of the operator who asks */
            password: string;
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
         * @description An email address and the contact's name.
         */
        ContactEmail: {
            emailId: string;
            displayName: string;
        };
        /**
         * ContactEmailList
         * @description A page of email addresses.
         */
        ContactEmailList: {
            contactEmail: components["schemas"]["ContactEmail"][];
        };
        /**
         * ContactList
         * @description A page of contacts; `{}` if there are none.
         */
        ContactList: {
            contacts?: components["schemas"]["Contact"][];
        };
        /**
         * ContactMailbox
         * @description One of a contact's email addresses.
         */
        ContactMailbox: {
            emailId: string;
            type?: string;
        };
        /**
         * ContactPhone
         * @description One of a contact's phone numbers.
         */
        ContactPhone: {
            number: string;
            type?: string;
        };
        /**
         * ContactRemoval
         * @description The contacts to remove; an unknown key is returned in `unprocessed`.
         */
        ContactRemoval: {
            contactIds: string[];
        };
        /**
         * ContactRemovals
         * @description The removed contacts, and those that were refused.
         */
        ContactRemovals: {
            contactIds: string[];
            unprocessed: components["schemas"]["UnprocessedContact"][];
        };
        /**
         * ContactRequest
         * @description A whole contact; `displayName` defaults to its names, or to its first address or number.
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
         * @description A nonce that authorises downloads for a short time.
         */
        CookieNonce: {
            nonce: string;
        };
        /**
         * CookieNonceRequest
         * @description The session's JWT, which is exchanged for a nonce.
         */
        CookieNonceRequest: {
            jwt: string;
        };
        /**
         * CopiedObject
         * @description A copy, and the key of the object that was copied.
         */
        CopiedObject: {
            sourceKey: string;
            object: components["schemas"]["CloudObject"];
        };
        /**
         * CopyAnswer
         * @description The copies, each under a free name, and the objects that were refused.
         */
        CopyAnswer: {
            objects: components["schemas"]["CopiedObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * CopyRequest
         * @description The objects to copy, and the folder that the copies go into. A folder is copied without its contents.
         */
        CopyRequest: {
            objectKeys: string[];
            /** @description 32 hexadecimal digits */
            parentObjectKey: string;
        };
        /**
         * CoverPicture
         * @description A picture whose thumbnail is part of a cover.
         */
        CoverPicture: {
            objectKey: string;
            hash: string;
            version: number;
        };
        /**
         * Covers
         * @description The covers of those folders that have pictures.
         */
        Covers: {
            covers: components["schemas"]["FolderCover"][];
        };
        /**
         * DeclineAnswer
         * @description An empty object: the invitation was declined.
         */
        DeclineAnswer: Record<string, never>;
        /**
         * Declining
         * @description The invitation to decline.
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
         * DeviceNameRequest
         * @description A name for a device, which it keeps when it logs in again.
         */
        DeviceNameRequest: {
            deviceName: string;
        };
        /**
         * DeviceRequest
         * @description The device to log out.
         */
        DeviceRequest: {
            /** @description a UUID */
            deviceKey: string;
        };
        /**
         * DuplicateGroup
         * @description Files with identical content, oldest first.
         */
        DuplicateGroup: {
            hash: string;
            sizeInBytes: number;
            objects: components["schemas"]["CloudObject"][];
        };
        /**
         * Duplicates
         * @description Groups, those of the largest files first. Even a short page can have a `nextCursor`; only the last has none.
         */
        Duplicates: {
            groups: components["schemas"]["DuplicateGroup"][];
            nextCursor?: string;
        };
        /**
         * EchoedObject
         * @description The fields of an echoed object that a server reads; the rest is ignored.
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
         * @description The trash is empty. `usedSpace` shrinks as its bytes are removed.
         */
        EmptyTrashAnswer: {
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * EndedSessions
         * @description The number of other sessions that ended.
         */
        EndedSessions: {
            endedSessions: number;
        };
        /**
         * Everything
         * @description All objects of an account, including trashed ones, ordered by key.
         *
         *     `changesCursor` was taken before the first page: following changes from there misses nothing.
         */
        Everything: {
            objects: components["schemas"]["CloudObject"][];
            nextCursor?: string;
            changesCursor: string;
            epoch?: string;
        };
        /**
         * FailingJob
         * @description A background job that has failed and is tried again.
         */
        FailingJob: {
            name: string;
            attempts: number;
            error: string;
        };
        /**
         * FileToUpload
         * @description A file to upload, and its target folder.
         *
         *     With `expectedVersion` the file is stored only as the next version of that one, and with 0 only if no file has
         *     its name: if somebody else has stored a version in the meantime, nothing changes.
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
            /** @default null */
            expectedVersion?: number | null;
        };
        /**
         * FileVersion
         * @description A version; `displayVersion` is `V` and its number.
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
         * @description All stored versions, newest first.
         */
        FileVersions: {
            totalVersions: number;
            objVersions: components["schemas"]["FileVersion"][];
        };
        /**
         * FileWithOldVersions
         * @description A file, and how many earlier versions of how many bytes it has.
         */
        FileWithOldVersions: {
            object: components["schemas"]["CloudObject"];
            versions: number;
            sizeInBytes: number;
        };
        /**
         * FlatBatchAnswer
         * @description The result of each entry; the status is 200 even if entries were refused.
         */
        FlatBatchAnswer: {
            objects: components["schemas"]["FlatProcessed"][];
            unprocessed: components["schemas"]["FlatUnprocessed"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * FlatBatchRequest
         * @description The operations of one call, in the flat form.
         */
        FlatBatchRequest: {
            objects: components["schemas"]["FlatEntry"][];
        };
        /**
         * FlatEntry
         * @description One operation, on the same level as the fields of the object.
         */
        FlatEntry: {
            operation: components["schemas"]["FlatOperation"];
            objectKey: string;
            /** @default null */
            objectName?: string | null;
            /** @default null */
            parentObjectKey?: string | null;
            /** @default null */
            sourceName?: string | null;
            /** @default null */
            status?: string | null;
            /** @default null */
            correlationId?: string | null;
        };
        /**
         * FlatOperation
         * @description The operations of the interface, and another name for a rename.
         * @enum {unknown}
         */
        FlatOperation: "FRN" | "MOVE" | "RENAME" | "SETFAV" | "TRASH" | "UNSETFAV";
        /**
         * FlatProcessed
         * @description A changed object, on the same level as the operation.
         */
        FlatProcessed: {
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
            /** @description anything */
            displayName: unknown;
            /** @description anything */
            latestVersion: unknown;
            createdDate: number;
            lastUpdatedDate: number;
            parentObjectType?: string;
            /** @description anything */
            iconName?: unknown;
            /** @description anything */
            tileName?: unknown;
            /** @description anything */
            gridDate?: unknown;
            /** @description anything */
            cMonthNo?: unknown;
            /** @description anything */
            cYear?: unknown;
            /** @description anything */
            recipientsObjRights?: unknown;
            /** @description anything */
            isShareAlbum?: unknown;
            operation: string;
            correlationId?: string;
        };
        /**
         * FlatUnprocessed
         * @description A refused operation.
         */
        FlatUnprocessed: {
            operation: string;
            correlationId?: string;
            objectKey: string;
            errorMessage?: string;
            errorCode?: string;
        };
        /**
         * FolderAbove
         * @description A folder above a match; the root has no parent.
         */
        FolderAbove: {
            objectKey: string;
            parentObjectKey?: string;
            objectName: string;
        };
        /**
         * FolderCover
         * @description A folder and up to four of its newest pictures.
         */
        FolderCover: {
            objectKey: string;
            pictures: components["schemas"]["CoverPicture"][];
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
         * ForgetRequest
         * @description The credentials of a login, because forgotten history cannot be restored.
         */
        ForgetRequest: {
            /** @default null */
            confirmation?: components["schemas"]["ConfirmationRequest"] | null;
        };
        /**
         * GuestFile
         * @description A file that somebody without an account has added to a board; `guestName` is the name that they entered.
         */
        GuestFile: {
            objectKey: string;
            guestName: string;
            addedDate: number;
        };
        /**
         * GuestFiles
         * @description The newest files that guests have added to a board.
         */
        GuestFiles: {
            guestFiles: components["schemas"]["GuestFile"][];
        };
        /**
         * HistoryChoice
         * @description Days to keep history for; 0 keeps none, and null is the operator's choice. Fewer days need `confirmation`.
         */
        HistoryChoice: {
            days: number | null;
            /** @default null */
            confirmation?: components["schemas"]["ConfirmationRequest"] | null;
        };
        /**
         * HistoryDifference
         * @description A file or folder that differs between two times.
         *
         *     `kinds` is `added`, `removed`, or any of `renamed`, `moved`, `content` and `favorite`. `before` and `beforePath` are
         *     absent if it did not exist at the first time, `after` and `afterPath` if it does not at the second. Date and origin
         *     are those of its last change in between, as in HistoryEntry.
         */
        HistoryDifference: {
            objectKey: string;
            isFolder: boolean;
            kinds: string[];
            before?: components["schemas"]["PastState"];
            beforePath?: string;
            after?: components["schemas"]["PastState"];
            afterPath?: string;
            date: number;
            deviceKey?: string;
            deviceName?: string;
            sessionId?: string;
            shareKey?: string;
            rewindKey?: string;
        };
        /**
         * HistoryDifferences
         * @description Differences, in the order in which objects first changed. Even an empty page can have a `nextCursor`.
         */
        HistoryDifferences: {
            differences: components["schemas"]["HistoryDifference"][];
            nextCursor?: string;
        };
        /**
         * HistoryEntry
         * @description One change. `before` is absent for a new object, `after` for one that the change deleted permanently.
         *
         *     `deviceKey`, `deviceName` and `sessionId` say who made it. They are absent if it was made by the service, by a
         *     rewind (`rewindKey`) or through a share link (`shareKey`).
         */
        HistoryEntry: {
            number: number;
            date: number;
            kind: string;
            objectKey?: string;
            isFolder?: boolean;
            before?: components["schemas"]["PastState"];
            after?: components["schemas"]["PastState"];
            deviceKey?: string;
            deviceName?: string;
            sessionId?: string;
            shareKey?: string;
            rewindKey?: string;
        };
        /**
         * HistoryHead
         * @description The signed head of the log, a text that other tools can read; absent before the log has started.
         *
         *     The log has `size` changes, starting with the number `start`; `waiting` later ones are not in it yet. The records of
         *     all changes since `keptFrom` are kept, for `days` after the change. `forgottenDate` is when the owner last had
         *     history forgotten.
         */
        HistoryHead: {
            note?: string;
            start?: number;
            size: number;
            newestNumber: number;
            waiting: number;
            keptFrom: number;
            days: number;
            forgottenDate?: number;
        };
        /**
         * HistoryLeaf
         * @description The hash of a change; its date and its record, in Base64, while they are kept.
         */
        HistoryLeaf: {
            number: number;
            hash: string;
            date?: number;
            record?: string;
        };
        /**
         * HistoryLeaves
         * @description Leaves in the order of their numbers, without a gap.
         */
        HistoryLeaves: {
            leaves: components["schemas"]["HistoryLeaf"][];
        };
        /**
         * HistoryPage
         * @description Changes, newest first. Even an empty page can have a `nextCursor`; only the last has none.
         *
         *     `oldestDate` is the earliest available time; `days` is how long the account keeps history.
         */
        HistoryPage: {
            entries: components["schemas"]["HistoryEntry"][];
            oldestDate?: number;
            days: number;
            nextCursor?: string;
        };
        /**
         * HistorySettings
         * @description How long history is kept, the operator's limit, the earliest available time, and the space that history takes.
         */
        HistorySettings: {
            days: number;
            daysMax: number;
            oldestDate?: number;
            sizeInBytes: number;
        };
        /**
         * IdentityDeparture
         * @description The provider's page, which the browser must open.
         */
        IdentityDeparture: {
            url: string;
        };
        /**
         * ImportedContacts
         * @description The result of each card.
         */
        ImportedContacts: {
            contacts: components["schemas"]["Contact"][];
            unprocessed: components["schemas"]["UnreadCard"][];
        };
        /**
         * InvitationRequest
         * @description The invited email address and its role; without `expiresDate` the invitation expires after 30 days.
         */
        InvitationRequest: {
            emailId: string;
            /** @enum {unknown} */
            memberType?: "M" | "V";
            /** @default null */
            expiresDate?: number | null;
        };
        /**
         * KeptKind
         * @description How much of a kind is stored beside files, and at most how much (see the reference of limits).
         */
        KeptKind: {
            kind: string;
            used: number;
            limit: number;
            isBytes: boolean;
        };
        /**
         * KeyOfHistory
         * @description An Ed25519 key, in Base64. `signature` is by the key before it; the key in use has no `retiredDate`.
         */
        KeyOfHistory: {
            keyId: string;
            publicKey: string;
            createdDate: number;
            retiredDate?: number;
            signature?: string;
        };
        /**
         * KeysOfHistory
         * @description Every key that has signed heads, oldest first.
         */
        KeysOfHistory: {
            keys: components["schemas"]["KeyOfHistory"][];
            restores: components["schemas"]["RestoreOfServer"][];
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
         * @description Keys that the legacy delete accepts and ignores.
         */
        LegacyDeleteRequest: {
            objectKeys: string[];
        };
        /**
         * LinkIdentityRequest
         * @description The provider, and the account's password, which is ignored if the account has none.
         */
        LinkIdentityRequest: {
            provider: string;
            password: string;
        };
        /**
         * LinkRequest
         * @description A link with which anyone can join the board.
         */
        LinkRequest: {
            /** @enum {unknown} */
            memberType?: "M" | "V";
            /** @default null */
            expiresDate?: number | null;
        };
        /**
         * LinkedPage
         * @description A page of objects; `nextLink` is the path of the next page with its query, if there is one.
         */
        LinkedPage: {
            objects: components["schemas"]["CloudObject"][];
            nextLink?: string;
        };
        /**
         * Locations
         * @description The requested objects that exist, in the trash or not. `folders` are the folders above them, each once.
         */
        Locations: {
            objects: components["schemas"]["ObjectPlace"][];
            folders: components["schemas"]["FolderAbove"][];
        };
        /**
         * LoginAnswer
         * @description The session; `authToken` follows `Basic ` in the Authorization header, and only a login returns it.
         *
         *     `expiresIn` counts the seconds after the last use.
         */
        LoginAnswer: {
            userId: string;
            deviceKey: string;
            rootFolderKey: string;
            authToken?: string;
            jwt: string;
            refreshToken?: string;
            expiresIn?: number;
        };
        /**
         * LoginProvider
         * @description A provider that people may log in through; `label` is its button's text, if that is not its name.
         */
        LoginProvider: {
            id: string;
            name: string;
            label?: string;
        };
        /**
         * LoginRequest
         * @description The login; naming a registered device ends its previous session.
         *
         *     Where the second factor is on, `code` is needed, or `passkey`: the answer to the challenge in the error body.
         */
        LoginRequest: {
            /** @default null */
            deviceName?: string | null;
            /** @default null */
            platformType?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /**
             * @description for browsers: return the token as an HttpOnly cookie, not in the body
             * @default null
             */
            inCookie?: boolean | null;
            emailId: string;
            password: string;
            /** @default null */
            code?: string | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyAssertion"] | null;
        };
        /**
         * LogoutRequest
         * @description Sessions to end in addition to the calling one, in the form of other people's clients; the body may be absent.
         */
        LogoutRequest: {
            /** @default null */
            revokeAll?: ("N" | "Y" | "n" | "y") | boolean | null;
            /** @default null */
            deviceKey?: string | null;
        };
        /**
         * MadeAppPassword
         * @description The new app password, which is never shown again, with the name to log in with and the address for WebDAV.
         */
        MadeAppPassword: {
            deviceKey: string;
            password: string;
            userName: string;
            webdavUrl: string;
        };
        /**
         * MailboxEntry
         * @description An email address.
         */
        MailboxEntry: {
            emailId: string;
            /** @default null */
            type?: string | null;
        };
        /**
         * ManagedAccount
         * @description An account as an operator sees it. `status` is A (active), D (disabled) or G (being removed).
         *
         *     `hasPassword` is false until an invited person has used the link. Nothing reveals the account's files.
         */
        ManagedAccount: {
            userId: string;
            emailId: string;
            firstName: string;
            lastName: string;
            status: string;
            isOperator: boolean;
            hasPassword: boolean;
            hasSecondFactor: boolean;
            /** @description how many passkeys the account has */
            passkeys: number;
            /** @description what the operator has set, without promotions */
            quota: number;
            allocatedSpace: number;
            usedSpace: number;
            items: number;
            createdDate: number;
            lastSeenDate?: number;
            deletionDate?: number;
            /** @description until when a one-time link sets the password */
            expiresDate?: number;
            /** @description since when a legal hold keeps everything of the account */
            heldDate: number;
        };
        /**
         * ManagedAccounts
         * @description A page of the accounts; the last one has no `nextCursor`.
         */
        ManagedAccounts: {
            accounts: components["schemas"]["ManagedAccount"][];
            nextCursor?: string;
        };
        /**
         * ManagedAlarm
         * @description An alarm of some account. `state` is `open` while the device is paused, then `allowed` or `ended`.
         *
         *     The counts are those of the ten minutes before `raisedDate`, or of the last day if only that limit was reached. No
         *     file is named.
         */
        ManagedAlarm: {
            userId: string;
            emailId: string;
            deviceKey: string;
            deviceName: string;
            platformType: string;
            raisedDate: number;
            sinceDate: number;
            deleted: number;
            overwritten: number;
            moved: number;
            scrambled: number;
            marked: number;
            state: string;
            decidedDate: number;
        };
        /**
         * ManagedAlarms
         * @description Alarms of all accounts, newest first.
         */
        ManagedAlarms: {
            alarms: components["schemas"]["ManagedAlarm"][];
        };
        /**
         * ManualTag
         * @description A tag that a user added.
         */
        ManualTag: {
            tagId: string;
            tagName: string;
            createdDate: number;
        };
        /**
         * ManyUploaded
         * @description The result of each file, in the order sent; the status is 200 even if some were refused.
         */
        ManyUploaded: {
            files: components["schemas"]["UploadOutcome"][];
        };
        /**
         * ManyUploads
         * @description Small files of one call. Their contents follow in this order, one directly after the other.
         */
        ManyUploads: {
            files: components["schemas"]["FileToUpload"][];
        };
        /**
         * MemberChange
         * @description A member's new role; `O` transfers the board, and its former owner becomes `M`.
         */
        MemberChange: {
            /** @enum {unknown} */
            memberType: "M" | "O" | "V";
        };
        /**
         * NewAccountRequest
         * @description The person to invite; the quota defaults to the server's. A mailed link is sent only to that person.
         */
        NewAccountRequest: {
            emailId: string;
            firstName: string;
            lastName: string;
            /** @default null */
            quota?: number | null;
            /** @default null */
            isMailed?: boolean | null;
            /** @default null */
            language?: ("de" | "en") | null;
        };
        /**
         * NewAppPassword
         * @description A name to recognise the app by, what it may do, and what a login needs.
         *
         *     The account's password, and a code or a passkey if logins need one: an open session alone cannot create permanent
         *     access. A passkey that verifies its user is sufficient.
         */
        NewAppPassword: {
            /** @default null */
            password?: string | null;
            /** @default null */
            code?: string | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyAssertion"] | null;
            name: string;
            /** @default true */
            canWrite?: boolean;
            /** @default null */
            folderKey?: string | null;
            /** @default false */
            webdavOnly?: boolean;
        };
        /**
         * NewBoardShareRequest
         * @description The public link to a board, with its limits.
         */
        NewBoardShareRequest: {
            shareName: string;
            /** @default null */
            rights?: ("add" | "view") | null;
            /** @default null */
            expiryDate?: number | null;
            /** @default null */
            password?: string | null;
            /** @default null */
            maxDownloads?: number | null;
            /** @default null */
            maxUploads?: number | null;
            /** @default null */
            maxUploadBytes?: number | null;
        };
        /**
         * NewPasskeyRequest
         * @description A new passkey with a name to recognise it by.
         */
        NewPasskeyRequest: {
            name: string;
            credential: components["schemas"]["PasskeyCredential"];
        };
        /**
         * NewShareRequest
         * @description The link to create, with its limits: to look at objects, or to send files into one folder.
         */
        NewShareRequest: {
            objectKeys: string[];
            shareName: string;
            /** @default null */
            rights?: ("send" | "view") | null;
            /** @default null */
            expiryDate?: number | null;
            /** @default null */
            password?: string | null;
            /** @default null */
            maxDownloads?: number | null;
            /** @default null */
            maxUploads?: number | null;
            /** @default null */
            maxUploadBytes?: number | null;
        };
        /**
         * ObjectChanges
         * @description The changes of one object, newest first, as far as the feed of the account still has them.
         */
        ObjectChanges: {
            changes: components["schemas"]["Change"][];
        };
        /**
         * ObjectFeed
         * @description A feed's objects, without a listing's counters.
         */
        ObjectFeed: {
            objects: components["schemas"]["CloudObject"][];
        };
        /**
         * ObjectInfo
         * @description One object, with the fields that a client may show.
         */
        ObjectInfo: {
            object: components["schemas"]["CloudObject"];
        };
        /**
         * ObjectListing
         * @description A page of a folder or of the trash; `nextLink` is the path of the next page with its query, if there is one.
         */
        ObjectListing: {
            allocatedSpace: number;
            usedSpace: number;
            isUploadAllowed: boolean;
            objects: components["schemas"]["CloudObject"][];
            nextLink?: string;
        };
        /**
         * ObjectLocation
         * @description The object, and the folders from the root to its parent.
         */
        ObjectLocation: {
            object: components["schemas"]["CloudObject"];
            path: components["schemas"]["PathFolder"][];
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
         * ObjectPlace
         * @description An object's folder, and whether it is visible; `trashedDate` is present for an object in the trash.
         */
        ObjectPlace: {
            objectKey: string;
            parentObjectKey?: string;
            isParentVisible: boolean;
            trashedDate?: number;
        };
        /**
         * OffsetConflict
         * @description The error body of a chunk at the wrong offset, with the right one.
         */
        OffsetConflict: {
            /** @default null */
            code?: string | null;
            /** @default null */
            message?: string | null;
            /** @default null */
            error?: string | null;
            /** @default null */
            transactionId?: string | null;
            /** @default null */
            offset?: number | null;
        };
        /**
         * OldVersions
         * @description Files with earlier versions, those whose versions take the most space first.
         */
        OldVersions: {
            files: components["schemas"]["FileWithOldVersions"][];
            nextCursor?: string;
        };
        /**
         * OpenSession
         * @description A device that is logged in, and its account.
         */
        OpenSession: {
            userId: string;
            emailId: string;
            firstName: string;
            lastName: string;
            deviceKey: string;
            deviceName: string;
            platformType: string;
            isCurrent: boolean;
            loginDate: number;
            lastUsedDate: number;
            sessionEndDate?: number;
        };
        /**
         * OpenSessions
         * @description The sessions that were used last, newest first.
         */
        OpenSessions: {
            sessions: components["schemas"]["OpenSession"][];
        };
        /**
         * Operation
         * @description The operation of a batch entry.
         * @enum {unknown}
         */
        Operation: "MOVE" | "RENAME" | "SETFAV" | "TRASH" | "UNSETFAV";
        /**
         * OperatorConsent
         * @description Whether an operator may rewind the account, once, and until when.
         */
        OperatorConsent: {
            isGiven: boolean;
            expiresDate: number;
        };
        /**
         * OperatorConsentRequest
         * @description For how many hours an operator may rewind the account, once; 0 withdraws that.
         */
        OperatorConsentRequest: {
            /** @default 24 */
            hours?: number;
        };
        /**
         * OperatorRoleRequest
         * @description Whether the account becomes an operator, and the password of the operator who decides.
         */
        OperatorRoleRequest: {
            isOperator: boolean;
            /** @description the password of the operator who asks */
            password: string;
        };
        /**
         * OwnArchive
         * @description An archive that can be downloaded until its expiry; `missing` objects were not found.
         */
        OwnArchive: {
            archiveKey: string;
            url: string;
            expiryDate: number;
            missing: number;
        };
        /**
         * OwnDevice
         * @description One of the account's devices. It has at most one session; without one, the session's dates are absent.
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
            isAppPassword: boolean;
        };
        /**
         * OwnDevices
         * @description Every device of the account, most recently seen first.
         */
        OwnDevices: {
            devices: components["schemas"]["OwnDevice"][];
        };
        /**
         * OwnIdentities
         * @description The account's identities, the providers that could be linked, and whether a password opens the account, too.
         */
        OwnIdentities: {
            hasPassword: boolean;
            identities: components["schemas"]["OwnIdentity"][];
            providers: components["schemas"]["LoginProvider"][];
        };
        /**
         * OwnIdentity
         * @description One of the account's identities; without a name, the server no longer has the provider.
         */
        OwnIdentity: {
            issuer: string;
            providerName?: string;
            emailId?: string;
            linkedDate: number;
            lastUsedDate: number;
        };
        /**
         * OwnShare
         * @description One of the caller's links. Without an expiry, a limit or a last visit, the field is absent.
         *
         *     `uploads` is how many files visitors have sent, if they may. A link to a board that the caller no longer owns has
         *     no `boardName` and does not work.
         */
        OwnShare: {
            shareKey: string;
            shareName: string;
            shareURL: string;
            rights: string;
            isLive: boolean;
            createdDate: number;
            expiryDate?: number;
            hasPassword: boolean;
            maxDownloads?: number;
            downloads: number;
            visits: number;
            lastVisitDate?: number;
            maxUploads?: number;
            maxUploadBytes?: number;
            uploads?: number;
            boardKey?: string;
            boardName?: string;
            objectKeys: string[];
            objects: components["schemas"]["SharedName"][];
        };
        /**
         * OwnShares
         * @description A page of the caller's links, newest first; the last page has no `nextCursor`.
         */
        OwnShares: {
            shares: components["schemas"]["OwnShare"][];
            nextCursor?: string;
        };
        /**
         * Passkey
         * @description A passkey of the account. `host` is the only one that it works for.
         *
         *     `replacesPassword` is true if it identifies the account and verifies its user; any other is a second factor.
         *     `isBackedUp` means that its vendor keeps a copy, such as in the user's cloud account.
         */
        Passkey: {
            passkeyKey: string;
            name: string;
            host: string;
            replacesPassword: boolean;
            isBackedUp: boolean;
            transports: string[];
            createdDate: number;
            lastUsedDate?: number;
        };
        /**
         * PasskeyAlgorithm
         * @description A kind of key that is accepted.
         */
        PasskeyAlgorithm: {
            type: string;
            alg: number;
        };
        /**
         * PasskeyAssertion
         * @description The answer to a challenge: what `navigator.credentials.get` returns.
         */
        PasskeyAssertion: {
            /** @description base64url without padding */
            id: string;
            response: components["schemas"]["PasskeySignature"];
        };
        /**
         * PasskeyAttestation
         * @description The new public key.
         */
        PasskeyAttestation: {
            /** @description base64url without padding */
            clientDataJSON: string;
            /** @description base64url without padding */
            attestationObject: string;
            /** @default null */
            transports?: string[] | null;
        };
        /**
         * PasskeyChallenge
         * @description The options for `navigator.credentials.get`. The challenge is accepted once, for five minutes.
         *
         *     Without `allowCredentials`, any passkey of this host that identifies its account will do.
         */
        PasskeyChallenge: {
            challenge: string;
            timeout: number;
            rpId: string;
            allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
            userVerification: string;
        };
        /**
         * PasskeyCreation
         * @description The options for `navigator.credentials.create`. The challenge is accepted once, for five minutes.
         */
        PasskeyCreation: {
            rp: components["schemas"]["PasskeyHost"];
            user: components["schemas"]["PasskeyUser"];
            challenge: string;
            pubKeyCredParams: components["schemas"]["PasskeyAlgorithm"][];
            timeout: number;
            excludeCredentials: components["schemas"]["PasskeyDescriptor"][];
            authenticatorSelection: components["schemas"]["PasskeySelection"];
            attestation: string;
            extensions: components["schemas"]["PasskeyExtensions"];
        };
        /**
         * PasskeyCredential
         * @description A new passkey: what `navigator.credentials.create` returns.
         */
        PasskeyCredential: {
            /** @description base64url without padding */
            id: string;
            response: components["schemas"]["PasskeyAttestation"];
            /** @default null */
            clientExtensionResults?: components["schemas"]["PasskeyResults"] | null;
        };
        /**
         * PasskeyDescriptor
         * @description A passkey by its id, and how a browser can reach it.
         */
        PasskeyDescriptor: {
            type: string;
            id: string;
            transports?: string[];
        };
        /**
         * PasskeyExtensions
         * @description Extra information that the browser should report.
         */
        PasskeyExtensions: {
            credProps: boolean;
        };
        /**
         * PasskeyHost
         * @description The host that a new passkey will work for.
         */
        PasskeyHost: {
            id: string;
            name: string;
        };
        /**
         * PasskeyLoginRequest
         * @description A login with a passkey that verifies its user, instead of email address, password and code.
         */
        PasskeyLoginRequest: {
            /** @default null */
            deviceName?: string | null;
            /** @default null */
            platformType?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /**
             * @description for browsers: return the token as an HttpOnly cookie, not in the body
             * @default null
             */
            inCookie?: boolean | null;
            passkey: components["schemas"]["PasskeyAssertion"];
        };
        /**
         * PasskeyNameRequest
         * @description A name to recognise the passkey by.
         */
        PasskeyNameRequest: {
            name: string;
        };
        /**
         * PasskeyProperties
         * @description Whether the new passkey identifies the account.
         */
        PasskeyProperties: {
            /** @default null */
            rk?: boolean | null;
        };
        /**
         * PasskeyResults
         * @description Extra information that the browser reports.
         */
        PasskeyResults: {
            /** @default null */
            credProps?: components["schemas"]["PasskeyProperties"] | null;
        };
        /**
         * PasskeySelection
         * @description What a new passkey should be able to do.
         */
        PasskeySelection: {
            residentKey: string;
            userVerification: string;
        };
        /**
         * PasskeySignature
         * @description What the passkey has signed, and the signature.
         */
        PasskeySignature: {
            /** @description base64url without padding */
            clientDataJSON: string;
            /** @description base64url without padding */
            authenticatorData: string;
            /** @description base64url without padding */
            signature: string;
            /** @default null */
            userHandle?: string | null;
        };
        /**
         * PasskeyUser
         * @description The account, as a list of passkeys shows it.
         */
        PasskeyUser: {
            id: string;
            name: string;
            displayName: string;
        };
        /**
         * Passkeys
         * @description The account's passkeys, the newest first.
         */
        Passkeys: {
            passkeys: components["schemas"]["Passkey"][];
        };
        /**
         * PasswordChangeRequest
         * @description The current password, and a new one of at least 8 characters.
         */
        PasswordChangeRequest: {
            oldPassword: string;
            newPassword: string;
        };
        /**
         * PasswordLink
         * @description A one-time link with which somebody sets the password of the account; it is shown once, unless it is mailed.
         */
        PasswordLink: {
            linkUrl?: string;
            expiresDate?: number;
            account: components["schemas"]["ManagedAccount"];
        };
        /**
         * PasswordMailRequest
         * @description The address of an account whose password is forgotten, and the language of the message.
         */
        PasswordMailRequest: {
            emailId: string;
            /** @default null */
            language?: ("de" | "en") | null;
        };
        /**
         * PastFolder
         * @description The past contents of a folder. If they fit into one page, they are sorted by name, folders first.
         */
        PastFolder: {
            objects: components["schemas"]["CloudObject"][];
            nextCursor?: string;
        };
        /**
         * PastObject
         * @description A file or folder as it was, and where it was: `path` begins with a slash.
         */
        PastObject: {
            object: components["schemas"]["CloudObject"];
            path: string;
        };
        /**
         * PastState
         * @description The state of an object before or after a change.
         */
        PastState: {
            objectName: string;
            parentObjectKey?: string;
            status: string;
            isFavorite: boolean;
            version?: number;
            sizeInBytes?: number;
            hash?: string;
        };
        /**
         * PathFolder
         * @description A folder of a path.
         */
        PathFolder: {
            objectKey: string;
            objectName: string;
        };
        /**
         * PhoneEntry
         * @description A phone number.
         */
        PhoneEntry: {
            number: string;
            /** @default null */
            type?: string | null;
        };
        /**
         * PhotoFact
         * @description Facts about a picture or video; unknown ones are absent.
         *
         *     `takenDate` is the time of the camera's clock in epoch milliseconds, as if that clock were UTC. Width and height are
         *     those of the upright picture.
         */
        PhotoFact: {
            objectKey: string;
            version: number;
            takenDate?: number;
            width?: number;
            height?: number;
            latitude?: number;
            longitude?: number;
        };
        /**
         * PhotoFactList
         * @description Facts about the requested files that are pictures or videos.
         */
        PhotoFactList: {
            facts: components["schemas"]["PhotoFact"][];
        };
        /**
         * PhotoPlaceList
         * @description A page of the pictures and videos whose place is known; it may be short. The last page has no `nextCursor`.
         */
        PhotoPlaceList: {
            places: components["schemas"]["PhotoFact"][];
            nextCursor?: string;
        };
        /**
         * Placeholder
         * @description A picture of at most 16 x 16 pixels as a `data:` URL, to be shown until the thumbnail has loaded.
         */
        Placeholder: {
            objectKey: string;
            image: string;
        };
        /**
         * Placeholders
         * @description The placeholders that exist: a file has one once a thumbnail of it was created.
         */
        Placeholders: {
            placeholders: components["schemas"]["Placeholder"][];
        };
        /**
         * ProcessedEntry
         * @description An applied operation and the resulting object.
         */
        ProcessedEntry: {
            operation: string;
            correlationId?: string;
            object: components["schemas"]["CloudObject"];
        };
        /**
         * ProfileEditRequest
         * @description The user's names; absent fields stay unchanged.
         */
        ProfileEditRequest: {
            /** @default null */
            firstName?: string | null;
            /** @default null */
            lastName?: string | null;
        };
        /**
         * Promotion
         * @description Additional storage for a period.
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
         * @description Active and expired storage promotions.
         */
        Promotions: {
            activePromotions: components["schemas"]["Promotion"][];
            expiredPromotions: components["schemas"]["Promotion"][];
        };
        /**
         * ProofHashes
         * @description The hashes of a proof as in RFC 6962, in its order and in Base64.
         */
        ProofHashes: {
            hashes: string[];
        };
        /**
         * ProviderLoginRequest
         * @description The last step of a login through a provider. A cookie, set when the provider responded, identifies the person;
         *     the token is always in a cookie.
         */
        ProviderLoginRequest: {
            /** @default null */
            deviceName?: string | null;
            /** @default null */
            platformType?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /**
             * @description for browsers: return the token as an HttpOnly cookie, not in the body
             * @default null
             */
            inCookie?: boolean | null;
            /** @default null */
            code?: string | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyAssertion"] | null;
        };
        /**
         * PurgeAnswer
         * @description The deleted objects, and those that were refused. `usedSpace` shrinks as their bytes are removed.
         */
        PurgeAnswer: {
            objects: components["schemas"]["PurgedObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * PurgeRequest
         * @description Trashed objects to delete permanently; a key that is not in the trash is returned in `unprocessed`.
         */
        PurgeRequest: {
            objectKeys: string[];
        };
        /**
         * PurgedObject
         * @description A deleted object.
         */
        PurgedObject: {
            objectKey: string;
        };
        /**
         * QuarantineSummary
         * @description Unreferenced bytes that are kept for a while, by reason.
         */
        QuarantineSummary: {
            reason: string;
            items: number;
            space: number;
            oldestDate: number;
        };
        /**
         * Quota
         * @description The account's quota and usage in bytes.
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
         * @description An invitation to a board.
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
         * @description The newest pictures and videos, and the newest other files.
         */
        RecentObjects: {
            objectsImgs: components["schemas"]["CloudObject"][];
            objectsDocs: components["schemas"]["CloudObject"][];
        };
        /**
         * RecoveryCodes
         * @description Codes to use if the authenticator is lost, each valid once; they are never shown again.
         */
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        /**
         * RefreshAnswer
         * @description The session that goes on; `accessToken` is its `authToken` once more, which other people's clients look for.
         */
        RefreshAnswer: {
            userId: string;
            deviceKey: string;
            rootFolderKey: string;
            authToken: string;
            jwt: string;
            refreshToken: string;
            expiresIn: number;
            accessToken: string;
        };
        /**
         * RefreshRequest
         * @description The `refreshToken` of a login or of the last renewal.
         */
        RefreshRequest: {
            refreshToken: string;
        };
        /**
         * RemovedVersions
         * @description How many versions were deleted, and how many bytes of quota that frees.
         */
        RemovedVersions: {
            versions: number;
            freedBytes: number;
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * RestoreAnswer
         * @description The restored objects, and those that were refused.
         */
        RestoreAnswer: {
            objects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * RestoreOfServer
         * @description When the server was restored from a backup, and when that backup was made, if known.
         */
        RestoreOfServer: {
            date: number;
            stateDate?: number;
        };
        /**
         * RestoreRequest
         * @description The objects to restore; a key that is not in the trash is returned in `unprocessed`.
         */
        RestoreRequest: {
            objectKeys: string[];
        };
        /**
         * Rewind
         * @description A rewind and its progress.
         *
         *     `state` is `planning` (nothing has changed yet), `running`, `done`, `cancelled` (what was done stays done; also if
         *     history ends after the moment before anything is done) or `refused`: it does not fit into the quota by
         *     `missingInBytes`, and nothing has changed. `done` of `total` objects are finished. `undoOf` is the rewind that this
         *     one undoes.
         */
        Rewind: {
            rewindKey: string;
            state: string;
            to: number;
            number: number;
            folderKey?: string;
            deviceKey?: string;
            sessionId?: string;
            undoOf?: string;
            createdDate: number;
            updatedDate: number;
            total: number;
            done: number;
            counts: components["schemas"]["RewindCounts"];
            sizeInBytes: number;
            missingInBytes?: number;
        };
        /**
         * RewindCounts
         * @description How many objects come back, move, get a former name, content, favourite mark or tags, go to the trash, or stay.
         *
         *     An object that moves and is renamed counts in both. `boards` are those that come back onto boards or leave them,
         *     `links` those whose share links are closed. `others` are deleted or edited albums, comments and contacts that become
         *     what they were. `left` are those that cannot be undone.
         */
        RewindCounts: {
            restored: number;
            moved: number;
            renamed: number;
            content: number;
            favorite: number;
            tags: number;
            boards: number;
            links: number;
            others: number;
            trashed: number;
            left: number;
        };
        /**
         * RewindItem
         * @description One object: what it is now and what it becomes.
         *
         *     `actions` are of `restored`, `moved`, `renamed`, `content`, `favorite`, `tags`, `boards`, `links` (a share link is
         *     closed) and `trashed`. `problem` says what cannot be undone: `contentGone` (its bytes are no longer kept),
         *     `changedByOthers`, `changedMeanwhile`, `noSpace`, `inUse` (a folder that holds what others have put there) or
         *     `gone`.
         *     `path` is where it was, or where it is if it was not there.
         */
        RewindItem: {
            objectKey: string;
            isFolder?: boolean;
            path?: string;
            actions?: string[];
            current?: components["schemas"]["PastState"];
            target?: components["schemas"]["PastState"];
            problem?: string;
            sizeInBytes?: number;
        };
        /**
         * RewindPlan
         * @description A page of what a rewind would do. Even an empty page can have a `nextCursor`; only the last has none.
         *
         *     `counts` and `sizeInBytes`, the space that contents need which come back, are of this page alone: add the pages up.
         *     `freeInBytes` is the space that the account has left. `number` is the moment as the number of a change.
         */
        RewindPlan: {
            items: components["schemas"]["RewindItem"][];
            counts: components["schemas"]["RewindCounts"];
            sizeInBytes: number;
            freeInBytes: number;
            number: number;
            nextCursor?: string;
        };
        /**
         * RewindPlanRequest
         * @description The target of a rewind, and the page of its plan.
         */
        RewindPlanRequest: {
            /** @default null */
            to?: number | null;
            /** @default null */
            toNumber?: number | null;
            /** @default null */
            folderKey?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /** @default null */
            session?: string | null;
            /** @default null */
            cursor?: string | null;
            /** @default 200 */
            limit?: number;
        };
        /**
         * RewindProblems
         * @description What a rewind could not undo, and why.
         */
        RewindProblems: {
            items: components["schemas"]["RewindItem"][];
            nextCursor?: string;
        };
        /**
         * RewindRequest
         * @description The target of a rewind: either `to`, a time, or `toNumber`, the last change to keep.
         *
         *     By default the whole account is rewound; with `folderKey`, one folder and everything in it. With `deviceKey` (also
         *     that of an app password), `session` or both, only what that device or session did since then is undone, and later
         *     changes by others stay.
         */
        RewindRequest: {
            /** @default null */
            to?: number | null;
            /** @default null */
            toNumber?: number | null;
            /** @default null */
            folderKey?: string | null;
            /** @default null */
            deviceKey?: string | null;
            /** @default null */
            session?: string | null;
        };
        /**
         * Rewinds
         * @description The account's latest rewinds, the newest first.
         */
        Rewinds: {
            rewinds: components["schemas"]["Rewind"][];
        };
        /**
         * ScrubProgress
         * @description The progress of the current pass over all contents.
         */
        ScrubProgress: {
            percent: number;
            beganDate: number;
            endedDate?: number;
            previousEndedDate?: number;
            contents: number;
        };
        /**
         * SearchPage
         * @description Matches, best first. Even a short page can have a `nextCursor`; only the last page has none.
         *
         *     `folders` are the folders above the page's objects, each once, to show their paths.
         */
        SearchPage: {
            objects: components["schemas"]["CloudObject"][];
            folders: components["schemas"]["FolderAbove"][];
            nextCursor?: string;
        };
        /**
         * SecondFactorBeginRequest
         * @description The password: an open session alone cannot lock the owner out.
         */
        SecondFactorBeginRequest: {
            password: string;
        };
        /**
         * SecondFactorConfirmRequest
         * @description The first code from the authenticator app.
         */
        SecondFactorConfirmRequest: {
            /** @description six digits from the authenticator app, or a recovery code; spaces, hyphens and case are ignored */
            code: string;
        };
        /**
         * SecondFactorMissing
         * @description The error body of a login with the right password that needs a second factor.
         *
         *     `passkey` is present if the account has passkeys for this host. `isWithoutApp` is true if the account has no
         *     authenticator app.
         */
        SecondFactorMissing: {
            /** @default null */
            code?: string | null;
            /** @default null */
            message?: string | null;
            /** @default null */
            error?: string | null;
            /** @default null */
            isWithoutApp?: boolean | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyChallenge"] | null;
        };
        /**
         * SecondFactorPasskeyRequest
         * @description The password, and the passkey that logins will need from now on.
         */
        SecondFactorPasskeyRequest: {
            password: string;
            passkey: components["schemas"]["PasskeyAssertion"];
        };
        /**
         * SecondFactorProofRequest
         * @description Both factors: the password, and a code from the authenticator app, a recovery code or a passkey. A passkey that
         *     verifies its user is sufficient.
         */
        SecondFactorProofRequest: {
            /** @default null */
            password?: string | null;
            /** @default null */
            code?: string | null;
            /** @default null */
            passkey?: components["schemas"]["PasskeyAssertion"] | null;
        };
        /**
         * SecondFactorResetRequest
         * @description The operator's own password, and whether the account's passkeys are removed as well.
         */
        SecondFactorResetRequest: {
            /** @description the password of the operator who asks */
            password: string;
            /** @default false */
            removesPasskeys?: boolean;
        };
        /**
         * SecondFactorSetup
         * @description The secret for an authenticator app; the second factor is off until a code from the app is confirmed.
         *
         *     `secret` is base32, to be typed in; `otpauthUri` contains the same for apps; `qrCode` is that URI as rows of `1`
         *     (dark) and `0` (light), without a quiet zone.
         */
        SecondFactorSetup: {
            secret: string;
            otpauthUri: string;
            qrCode: string[];
        };
        /**
         * SecondFactorStatus
         * @description Whether the second factor is on, and if so, since when, how many recovery codes are left, and whether there is an
         *     authenticator app: without one, logins need a passkey.
         */
        SecondFactorStatus: {
            isOn: boolean;
            hasApp?: boolean;
            onSinceDate?: number;
            recoveryCodesLeft?: number;
        };
        /**
         * ServerEpoch
         * @description The epoch of the server's data, and the current cursor of the account.
         *
         *     Another epoch means that the server was `restored` from a backup of `stateDate`, `moved`, or that an operator has
         *     `adopted` a database that had gone back; `reason` and `date` are absent in the first epoch. `isCursorKnown` is false
         *     where the change of the given cursor is not among the account's changes: the data went back without a new epoch.
         */
        ServerEpoch: {
            epoch?: string;
            cursor: string;
            isCursorKnown?: boolean;
            reason?: string;
            date?: number;
            stateDate?: number;
        };
        /**
         * ServerHealth
         * @description The state of the server and its stores. Without a problem, the field that would report it is absent or empty.
         */
        ServerHealth: {
            version: string;
            accounts: number;
            usedSpace: number;
            metadataState: string;
            blobsState: string;
            hasSpace: boolean;
            spaces: components["schemas"]["StoreSpace"][];
            readOnlyReason?: string;
            stoppedJobs: components["schemas"]["StoppedJob"][];
            failingJobs: components["schemas"]["FailingJob"][];
            damagedContents: number;
            scrub?: components["schemas"]["ScrubProgress"];
            quarantine: components["schemas"]["QuarantineSummary"][];
            lastBackupDate?: number;
        };
        /**
         * SessionsEndRequest
         * @description The device to log out; without one, all of the account's.
         */
        SessionsEndRequest: {
            /** @default null */
            deviceKey?: string | null;
        };
        /**
         * ShareEditRequest
         * @description The fields to change; absent fields stay unchanged. Only the rights of a link to a board can change.
         */
        ShareEditRequest: {
            /** @default null */
            shareName?: string | null;
            /** @default null */
            rights?: ("add" | "view") | null;
            /** @default null */
            expiryDate?: number | null;
            /** @default null */
            password?: string | null;
            /** @default null */
            maxDownloads?: number | null;
            /** @default null */
            maxUploads?: number | null;
            /** @default null */
            maxUploadBytes?: number | null;
        };
        /**
         * ShareLink
         * @description The created link.
         */
        ShareLink: {
            shareURL: string;
        };
        /**
         * ShareRequest
         * @description The link to create; `shareName` is usually the time, as in `06May2024_070809`.
         */
        ShareRequest: {
            objects: components["schemas"]["SharedObject"][];
            shareName: string;
            /** @enum {unknown} */
            shareType?: "L";
        };
        /**
         * SharedName
         * @description One of a link's objects.
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
         * @description A memory: pictures and videos from the same time.
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
         * StoppedJob
         * @description A background job that a brake stopped, because it would have deleted more than it can explain.
         */
        StoppedJob: {
            name: string;
            reason: string;
            stoppedDate: number;
        };
        /**
         * StorageUse
         * @description Bytes by what they are used for; the parts add up to `usedSpace`. `kept` lists what else is stored.
         *
         *     Photos, videos, audio and documents are the current versions of files outside the trash. If `isEstimate` is true,
         *     the trash is too large to be added up, and some of it counts as files. `history` is not part of `usedSpace`: it is
         *     the size of deleted files and versions that can still be restored.
         */
        StorageUse: {
            allocatedSpace: number;
            usedSpace: number;
            photos: number;
            videos: number;
            audio: number;
            documents: number;
            oldVersions: number;
            trash: number;
            history: number;
            isEstimate: boolean;
            kept: components["schemas"]["KeptKind"][];
        };
        /**
         * StoreSpace
         * @description The file system of a store; below the reserve, uploads are refused.
         */
        StoreSpace: {
            name: string;
            totalSpace: number;
            freeSpace: number;
            reserve: number;
        };
        /**
         * SupportedDocuments
         * @description The document types that the web client supports.
         */
        SupportedDocuments: {
            supportedExtensions: components["schemas"]["SupportedExtensions"];
        };
        /**
         * SupportedExtensions
         * @description File extensions that the web client can view and edit, and their icons.
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
         * @description A tag for some objects; a new name creates the tag.
         */
        TagGiving: {
            tagName: string;
            objectKeys: string[];
        };
        /**
         * TagList
         * @description A page of all tags, ordered by name; the last page has no `nextCursor`.
         */
        TagList: {
            tags: components["schemas"]["ManualTag"][];
            nextCursor?: string;
        };
        /**
         * TagRenaming
         * @description The tag's new name.
         */
        TagRenaming: {
            tagName: string;
        };
        /**
         * TagTaking
         * @description A tag to remove from some objects.
         */
        TagTaking: {
            /** @description 32 hexadecimal digits */
            tagId: string;
            objectKeys: string[];
        };
        /**
         * TaggedAnswer
         * @description The objects that were changed, and those that were refused.
         */
        TaggedAnswer: {
            tag?: components["schemas"]["ManualTag"];
            objectKeys: string[];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
        };
        /**
         * TimelineMonth
         * @description A month and its number of pictures and videos.
         */
        TimelineMonth: {
            year: number;
            month: number;
            count: number;
        };
        /**
         * TimelineMonths
         * @description Every month with pictures or videos, newest first.
         */
        TimelineMonths: {
            months: components["schemas"]["TimelineMonth"][];
        };
        /**
         * TimelinePage
         * @description A page of a month: objects, and the known facts about each; the last page has no `nextCursor`.
         */
        TimelinePage: {
            objects: components["schemas"]["CloudObject"][];
            facts: components["schemas"]["PhotoFact"][];
            nextCursor?: string;
        };
        /**
         * TrashAnswer
         * @description The objects that are in the trash now, and those that were refused.
         */
        TrashAnswer: {
            trashObjects: components["schemas"]["CloudObject"][];
            unprocessed: components["schemas"]["UnprocessedEntry"][];
            usedSpace: number;
            isUploadAllowed: boolean;
        };
        /**
         * TrashRequest
         * @description The objects to move to the trash; an unknown key is returned in `unprocessed`.
         */
        TrashRequest: {
            objectKeys: string[];
        };
        /**
         * UnfinishedUpload
         * @description An unfinished upload; all of its `size` is reserved, and `offset` bytes have been received.
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
         * @description A page of unfinished uploads, newest first; the last page has no `nextCursor`.
         */
        UnfinishedUploads: {
            uploads: components["schemas"]["UnfinishedUpload"][];
            nextCursor?: string;
        };
        /**
         * UnjoinAnswer
         * @description An empty object: the user has left the board.
         */
        UnjoinAnswer: Record<string, never>;
        /**
         * UnlinkIdentityRequest
         * @description The issuer of the identity to unlink.
         */
        UnlinkIdentityRequest: {
            issuer: string;
        };
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
         * @description A refused operation. Servers omit a lot here, so no field is required.
         */
        UnprocessedEntry: {
            operation?: string;
            correlationId?: string;
            object: components["schemas"]["UnprocessedObject"];
        };
        /**
         * UnprocessedObject
         * @description The object of a refused entry, and the reason.
         */
        UnprocessedObject: {
            objectKey: string;
            errorMessage?: string;
            errorCode?: string;
        };
        /**
         * UnreadCard
         * @description A card that could not be read, counted from 1, and the reason.
         */
        UnreadCard: {
            card: number;
            errorMessage: string;
            errorCode: string;
        };
        /**
         * UploadMetadata
         * @description The file to upload, and its target.
         *
         *     With `boardKey` the file is added to that board in the same step; without `folderKey` it is then stored in
         *     `Boards/<name of the board>`. With `expectedVersion` the file is stored only as the next version of that one, and
         *     with 0 only where no file has its name: if somebody else has stored a version in the meantime, nothing changes.
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
            expectedVersion?: number | null;
            /** @default null */
            boardKey?: string | null;
        };
        /**
         * UploadOutcome
         * @description The result of one of many files: the object, or the reason for refusing it.
         */
        UploadOutcome: {
            object?: components["schemas"]["CloudObject"];
            errorCode?: string;
            errorMessage?: string;
        };
        /**
         * UploadProgress
         * @description The progress of an upload; the next chunk starts at `offset`.
         */
        UploadProgress: {
            transactionId: string;
            offset: number;
        };
        /**
         * UserProfile
         * @description The logged-in user.
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
            isOperator?: boolean;
            hasPassword?: boolean;
        };
        /**
         * VcardExport
         * @description vCards of version 3.0, ordered by name; the last page has no `nextCursor`.
         */
        VcardExport: {
            vcards: string;
            count: number;
            nextCursor?: string;
        };
        /**
         * VcardImport
         * @description vCards of version 2.1, 3.0 or 4.0, one after the other. Their pictures are not kept.
         */
        VcardImport: {
            vcards: string;
        };
        /**
         * VersionAuthor
         * @description The author of a version.
         */
        VersionAuthor: {
            firstName: string;
        };
        /**
         * VersionRemoval
         * @description The files whose earlier versions are to be deleted permanently.
         */
        VersionRemoval: {
            objectKeys: string[];
        };
        /**
         * VersionRestoreRequest
         * @description The version to restore, and its file.
         */
        VersionRestoreRequest: {
            /** @description 32 hexadecimal digits */
            objectKey: string;
            version: number;
        };
        /**
         * Welcome
         * @description Whether the server has no accounts yet, and with a token, what its link does and for whom.
         */
        Welcome: {
            isNewServer: boolean;
            canMailPassword?: boolean;
            providers?: components["schemas"]["LoginProvider"][];
            /** @enum {unknown} */
            kind?: "first-account" | "invitation" | "new-password";
            emailId?: string;
            firstName?: string;
            lastName?: string;
            expiresDate?: number;
        };
        /**
         * WelcomeAnswer
         * @description The address to log in with.
         */
        WelcomeAnswer: {
            emailId: string;
        };
        /**
         * WelcomeRequest
         * @description The link's token and the password to set. The first account needs an address and names as well.
         */
        WelcomeRequest: {
            token: string;
            /** @description at least 8 characters */
            password: string;
            /** @default null */
            emailId?: string | null;
            /** @default null */
            firstName?: string | null;
            /** @default null */
            lastName?: string | null;
        };
    };
    responses: {
        /** @description `SKY1000` A parameter, header or body is not valid */
        SKY1000: {
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
        /** @description `SKY1004` This path does not support the method */
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
        /** @description `SKY1005` The request body is too large */
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
        /** @description `SKY1006` This server has no such path */
        SKY1006: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1006";
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
        /** @description `SKY1008` This call needs another Content-Type */
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
        /** @description `SKY1011` The changes since this cursor are no longer kept */
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
        /** @description `SKY1013` The request body did not arrive in time */
        SKY1013: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1013";
                };
            };
        };
        /** @description `SKY1014` The request's header fields are too large */
        SKY1014: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1014";
                };
            };
        };
        /** @description `SKY1015` The request's path and query are too long */
        SKY1015: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1015";
                };
            };
        };
        /** @description `SKY1016` The history of that time is not kept */
        SKY1016: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1016";
                };
            };
        };
        /** @description `SKY1017` No such rewind */
        SKY1017: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1017";
                };
            };
        };
        /** @description `SKY1018` A rewind of this account is running */
        SKY1018: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1018";
                };
            };
        };
        /** @description `SKY1019` The log of this account's history has no such change, or not as many */
        SKY1019: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY1019";
                };
            };
        };
        /** @description `SKY2001` This application is not accepted */
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
        /** @description `SKY2008` The second factor is already on */
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
        /** @description `SKY2010` This link is no longer valid */
        SKY2010: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2010";
                };
            };
        };
        /** @description `SKY2011` This account is the server's only operator */
        SKY2011: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2011";
                };
            };
        };
        /** @description `SKY2012` An account with this email address already exists */
        SKY2012: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2012";
                };
            };
        };
        /** @description `SKY2019` This server sends no email */
        SKY2019: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2019";
                };
            };
        };
        /** @description `SKY2030` No such login provider */
        SKY2030: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2030";
                };
            };
        };
        /** @description `SKY2032` This identity is linked already, or the account has another one of the same provider */
        SKY2032: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2032";
                };
            };
        };
        /** @description `SKY2033` No such identity */
        SKY2033: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2033";
                };
            };
        };
        /** @description `SKY2034` Nothing else opens this account */
        SKY2034: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2034";
                };
            };
        };
        /** @description `SKY2043` No such passkey */
        SKY2043: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2043";
                };
            };
        };
        /** @description `SKY2045` Passkeys work only at an address with https and a host name */
        SKY2045: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY2045";
                };
            };
        };
        /** @description `SKY3000` No such file or folder */
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
        /** @description `SKY3001` No such share link */
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
        /** @description `SKY3002` No such album */
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
        /** @description `SKY3005` No such device */
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
        /** @description `SKY3010` The folder already has an item with that name */
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
        /** @description `SKY3025` No such item in the trash */
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
        /** @description `SKY3030` No such tag */
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
        /** @description `SKY3031` No such contact */
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
        /** @description `SKY3033` No such invitation */
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
        /** @description `SKY4000` No such upload */
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
        /** @description `SKY4008` The account has as many of these as it can have */
        SKY4008: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "SKY4008";
                };
            };
        };
        /** @description `SKY5000` Internal server error */
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
        /** @description `SKY5002` The server's disk is full */
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
        /** @description The request's id in the server's log. */
        "X-Request-Id": string;
        /** @description Seconds to wait before retrying. */
        "Retry-After": string;
        /** @description The methods that the path supports. */
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
            /** @description The user's profile, quota and devices; 200 means that the session is valid. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description The backup policy and the server's settings for clients. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description The promotional banners to show now. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description A nonce that authorises downloads for ten minutes, in the body and as a cookie. */
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
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Logs in with an email address and a password. */
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
            /** @description `SKY2000` Wrong email address or password; `SKY2005` The password is correct, but a second-factor code is needed as well; `SKY2006` The second-factor code is wrong or was already used */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2000" | "SKY2005" | "SKY2006";
                    } & components["schemas"]["SecondFactorMissing"];
                };
            };
            /** @description `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2040" | "SKY2042";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description The current session without its token, for pages that are reloaded. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutRequest"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Changes the password and ends all other sessions. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2004` The password is wrong */
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
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Changes the user's names. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description The account's devices, and which of them are logged in. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    account_events: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
                /** @description A kind such as `login.failed`, or a group such as `login` */
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened in the account: logins, failures, shares, downloads by link, deletions; newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEvents"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Logs out every device except the calling one. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    rename_device: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceNameRequest"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Schedules the account for permanent deletion after a grace period. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Whether the second factor is on, since when, and how many recovery codes are left. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Creates a secret for an authenticator app. The second factor stays off until it is confirmed; another call replaces the secret. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2008"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Turns the second factor on with a code from the authenticator app, and returns the recovery codes once. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2007` The code is wrong or was already used */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2007";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2008` The second factor is already on; `SKY2009` The second factor is off and has not been set up */
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
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2045` Passkeys work only at an address with https and a host name; `SKY2009` The second factor is off and has not been set up */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2045" | "SKY2009";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Creates new recovery codes with the password and a code, or with a passkey; the old ones stop working. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2045` Passkeys work only at an address with https and a host name; `SKY2009` The second factor is off and has not been set up */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2045" | "SKY2009";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    begin_passkey_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A challenge for a login with any passkey of this host. Nothing is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2045"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    passkey_login: {
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
                "application/json": components["schemas"]["PasskeyLoginRequest"];
            };
        };
        responses: {
            /** @description Logs in with a passkey, without a password. It counts as both factors. */
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
            /** @description `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    passkeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's passkeys: their names, what each can do, and when it was last used. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkeys"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    add_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskeyRequest"];
            };
        };
        responses: {
            /** @description Adds the passkey that a browser has created, in the session that began it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2040` This passkey was not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2040";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2044` This passkey has already been added; `SKY2045` Passkeys work only at an address with https and a host name */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2044" | "SKY2045";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    begin_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmationRequest"];
            };
        };
        responses: {
            /** @description The options that a browser needs to create a passkey; needs the credentials of a login. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreation"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    passkey_challenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A challenge for one of the account's passkeys, to confirm a change in this session. Nothing is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
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
            404: components["responses"]["SKY2043"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2045"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    rename_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyNameRequest"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY2043"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    remove_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmationRequest"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            404: components["responses"]["SKY2043"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2045` Passkeys work only at an address with https and a host name; `SKY2046` Logins need this passkey: it is the only second factor; `SKY2034` Nothing else opens this account */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2045" | "SKY2046" | "SKY2034";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    second_factor_by_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorPasskeyRequest"];
            };
        };
        responses: {
            /** @description Turns the second factor on with a passkey instead of an authenticator app, and returns the recovery codes once. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2004` The password is wrong; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004" | "SKY2040" | "SKY2042";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2045` Passkeys work only at an address with https and a host name; `SKY2008` The second factor is already on */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2045" | "SKY2008";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    app_passwords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's app passwords: what each may do, and when it was last used. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppPasswords"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    add_app_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAppPassword"];
            };
        };
        responses: {
            /** @description Creates an app password; needs the credentials of a login: the password, or a passkey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeAppPassword"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    revoke_app_password: {
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    login_by_provider: {
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
                "application/json": components["schemas"]["ProviderLoginRequest"];
            };
        };
        responses: {
            /** @description Completes a login through a provider: opens a session, as a cookie, for the person that the provider named. */
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
            /** @description `SKY2005` The password is correct, but a second-factor code is needed as well; `SKY2006` The second-factor code is wrong or was already used */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2005" | "SKY2006";
                    } & components["schemas"]["SecondFactorMissing"];
                };
            };
            /** @description `SKY2031` This login through a provider has ended; `SKY2037` No account belongs to this identity; `SKY2038` The login provider does not say that the email address is verified; `SKY2039` An account with this email address exists, and the identity is not linked to it; `SKY2029` This account is disabled; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2031" | "SKY2037" | "SKY2038" | "SKY2039" | "SKY2029" | "SKY2040" | "SKY2042";
                    };
                };
            };
            404: components["responses"]["SKY2030"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY2032` This identity is linked already, or the account has another one of the same provider; `SKY2045` Passkeys work only at an address with https and a host name */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2032" | "SKY2045";
                    };
                };
            };
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    identities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's identities at login providers, and the providers that could be linked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnIdentities"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    finish_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Links the identity that the provider has named to the account that began it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnIdentities"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2031` This login through a provider has ended */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2031";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY2032"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    begin_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkIdentityRequest"];
            };
        };
        responses: {
            /** @description Starts linking an identity, with the account's password; returns the provider's page to open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityDeparture"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035";
                    };
                };
            };
            404: components["responses"]["SKY2030"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY2036` The login provider does not answer as it should; `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2036" | "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    unlink_identity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlinkIdentityRequest"];
            };
        };
        responses: {
            /** @description Unlinks an identity, unless nothing else opens the account. No session ends. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnIdentities"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY2033"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2034"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    welcome: {
        parameters: {
            query?: never;
            header?: {
                "X-Welcome-Token"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the server has no accounts yet; with a one-time link's token, what the link does. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Welcome"];
                };
            };
            400: components["responses"]["SKY1000"];
            404: components["responses"]["SKY2010"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    use_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WelcomeRequest"];
            };
        };
        responses: {
            /** @description Uses a one-time link: creates the first account, or sets an account's password and ends its sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WelcomeAnswer"];
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
            404: components["responses"]["SKY2010"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2012"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    request_password_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordMailRequest"];
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
            404: components["responses"]["SKY2019"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_accounts: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server's accounts, for its operators. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccounts"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_add_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccountRequest"];
            };
        };
        responses: {
            /** @description Adds an account; its one-time link invites the person to set a password. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordLink"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2012"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_edit_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountEditRequest"];
            };
        };
        responses: {
            /** @description Disables or enables an account, or changes its quota. A disabled account's sessions end. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2011"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_password_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedRequest"];
            };
        };
        responses: {
            /** @description Creates a one-time link that sets the account's password; an earlier one stops working. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordLink"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_operator_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorRoleRequest"];
            };
        };
        responses: {
            /** @description Makes an account an operator, or revokes that. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2011"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_reset_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorResetRequest"];
            };
        };
        responses: {
            /** @description Turns off an account's second factor and, if asked to, removes its passkeys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_delete_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedRequest"];
            };
        };
        responses: {
            /** @description Schedules an account for permanent deletion after a grace period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2011"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_keep_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancels the pending deletion of an account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_sessions: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions that were used last, of all accounts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenSessions"];
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
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_account_sessions: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions of one account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenSessions"];
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
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_alarms: {
        parameters: {
            query?: {
                decided?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Devices of all accounts that are paused, because they changed unusually much. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAlarms"];
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
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_end_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsEndRequest"];
            };
        };
        responses: {
            /** @description Logs out one device of an account, or all of them. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2013` No such account; `SKY3005` No such device */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2013" | "SKY3005";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_banners: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All banners: current, past and future. */
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
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_add_banner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BannerRequest"];
            };
        };
        responses: {
            /** @description Adds a banner, which clients show to everybody. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannerCard"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_edit_banner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                banner_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BannerEditRequest"];
            };
        };
        responses: {
            /** @description Changes a banner. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannerCard"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2014` No such banner */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2014";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_remove_banner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                banner_key: string;
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY1006` This server has no such path; `SKY2014` No such banner */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1006" | "SKY2014";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    admin_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the server, its stores and its background jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerHealth"];
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
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    admin_release_brake: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrakeReleaseRequest"];
            };
        };
        responses: {
            /** @description Lets a background job that a brake has stopped run for a day; other jobs are not affected. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerHealth"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004";
                    };
                };
            };
            404: components["responses"]["SKY1006"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
                sort?: "+createdDate" | "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-createdDate" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                /** @description `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A folder's contents. */
            200: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list; `NMSOM0129` provide valid value for folder(W) or file(F) search; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010" | "NMSOM0129" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
                sort?: "+createdDate" | "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-createdDate" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                page?: number;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A folder's contents, in pages. */
            200: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list; `NMSOM0129` provide valid value for folder(W) or file(F) search; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010" | "NMSOM0129" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    flat_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlatBatchRequest"];
            };
        };
        responses: {
            /** @description The batch call with flat entries; FRN is a rename. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatBatchAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `NMSOM0135` Request is not proper; `TEJVF0001` constraint validation on objectName for value null; `NMSOM0021` Source name is null or empty; `SKY1002` Not a valid name for a file or folder; `SKY3022` The root folder cannot be renamed, moved or trashed; `SKY3023` A folder cannot be moved or copied into itself or one of its subfolders; `SKY3026` Folders can be nested 100 deep, and the path of a folder can have 3840 bytes; `SKY3024` The target of the move is not a folder in this account */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "NMSOM0135" | "TEJVF0001" | "NMSOM0021" | "SKY1002" | "SKY3022" | "SKY3023" | "SKY3026" | "SKY3024";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY3010"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Favourites, renames, moves and trashes objects; each entry is applied or refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `NMSOM0135` Request is not proper; `TEJVF0001` constraint validation on objectName for value null; `NMSOM0021` Source name is null or empty; `SKY1002` Not a valid name for a file or folder; `SKY3022` The root folder cannot be renamed, moved or trashed; `SKY3023` A folder cannot be moved or copied into itself or one of its subfolders; `SKY3026` Folders can be nested 100 deep, and the path of a folder can have 3840 bytes; `SKY3024` The target of the move is not a folder in this account */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "NMSOM0135" | "TEJVF0001" | "NMSOM0021" | "SKY1002" | "SKY3022" | "SKY3023" | "SKY3026" | "SKY3024";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY3010"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Restores objects from the trash. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    trash: {
        parameters: {
            query?: {
                limit?: number;
                sort?: "+createdDate" | "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-createdDate" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                page?: number;
                /** @description `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trash, most recently trashed first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Does nothing: every key is returned as unprocessed. Use the batch call's TRASH operation. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description A file's versions, newest first. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY1002` Not a valid name for a file or folder; `SKY3020` The key belongs to a file; `SKY3026` Folders can be nested 100 deep, and the path of a folder can have 3840 bytes */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY1002" | "SKY3020" | "SKY3026";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY3010"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    object_location: {
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
            /** @description An object with the folders above it. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    locations: {
        parameters: {
            query: {
                /** @description 1 to 200 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folders above many objects, which may be in the trash. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Locations"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    covers: {
        parameters: {
            query: {
                /** @description 1 to 50 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Up to four pictures of each of many folders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Covers"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    copy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CopyRequest"];
            };
        };
        responses: {
            /** @description Copies files, and folders without their contents, into a folder; each is copied or refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CopyAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file; `SKY3022` The root folder cannot be renamed, moved or trashed; `SKY3023` A folder cannot be moved or copied into itself or one of its subfolders; `SKY3026` Folders can be nested 100 deep, and the path of a folder can have 3840 bytes */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY3020" | "SKY3022" | "SKY3023" | "SKY3026";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Permanently deletes objects from the trash; each is deleted or refused separately. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3025"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Empties the trash permanently; responds at once, whatever its size. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Restores an earlier version as the file's newest one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY3021` The key belongs to a folder */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Finds objects by words in their names and by their properties, best match first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list; `SKY3020` The key belongs to a file */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    storage_use: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the account's space is used for: files by kind, earlier versions, the trash. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageUse"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    largest_files: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files, the largest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    duplicates: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Groups of files with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duplicates"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    old_versions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files with earlier versions, those whose versions take the most space first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OldVersions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    remove_versions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VersionRemoval"];
            };
        };
        responses: {
            /** @description Permanently deletes the earlier versions of files; their current content stays. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedVersions"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    changes: {
        parameters: {
            query?: {
                /** @description `cursor` of an earlier response */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes since a cursor, oldest first; without a cursor, only the current one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    everything: {
        parameters: {
            query?: {
                /** @description `cursor` of an earlier response */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All objects of the account in pages: the starting point for following changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Everything"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    epoch: {
        parameters: {
            query?: {
                /** @description `cursor` of an earlier response */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The epoch of the server's data: it changes when they are restored from a backup, moved, or go back. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerEpoch"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    object_changes: {
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
            /** @description What happened to one object, newest first: up to 50 of the account's latest 20,000 changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectChanges"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    change_stream: {
        parameters: {
            query?: {
                /** @description `cursor` of an earlier response */
                cursor?: string;
                /** @description 32 hexadecimal digits */
                boardKey?: string;
                invitations?: boolean;
                seconds?: number;
            };
            header?: {
                /** @description `cursor` of an earlier response */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A live stream of changes as server-sent events, whose ids are cursors; it can also watch a board and invitations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1011"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history: {
        parameters: {
            query?: {
                /** @description 32 hexadecimal digits */
                objectKey?: string;
                /** @description 32 hexadecimal digits */
                folderKey?: string;
                /** @description epoch milliseconds */
                since?: number;
                /** @description epoch milliseconds */
                until?: number;
                deviceKey?: string;
                session?: string;
                kind?: string;
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes, newest first, with the state before and after, and who made them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    past_folder: {
        parameters: {
            query: {
                /** @description epoch milliseconds */
                at: number;
                name?: string;
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contents of a folder at a given time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PastFolder"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1010" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1016"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    past_object: {
        parameters: {
            query: {
                /** @description epoch milliseconds */
                at: number;
            };
            header?: never;
            path: {
                object_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file or folder as it was at a given time, and its path. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PastObject"];
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
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1016"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history_differences: {
        parameters: {
            query: {
                /** @description epoch milliseconds */
                since: number;
                /** @description epoch milliseconds */
                until?: number;
                /** @description 32 hexadecimal digits */
                folderKey?: string;
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was added, removed, moved or changed between two times, one entry per file or folder. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryDifferences"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            410: components["responses"]["SKY1016"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    past_file: {
        parameters: {
            query: {
                /** @description epoch milliseconds */
                at: number;
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
            /** @description The content that a file had at a given time, whole or in ranges. */
            200: {
                headers: {
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
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
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
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1016` The history of that time is not kept */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1016";
                    };
                };
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
                    };
                };
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5004" | "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    past_file_head: {
        parameters: {
            query: {
                /** @description epoch milliseconds */
                at: number;
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
            /** @description The content that a file had at a given time, whole or in ranges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1016` The history of that time is not kept */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
    history_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How long history is kept, how far it goes back, and how much space it takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistorySettings"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    set_history: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HistoryChoice"];
            };
        };
        responses: {
            /** @description Sets how long history is kept, up to the operator's limit; fewer days need confirmation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistorySettings"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password; `SKY2051` This needs your password, or a passkey */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041" | "SKY2051";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    forget_history: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetRequest"];
            };
        };
        responses: {
            /** @description Forgets all history up to now; needs the credentials of a login, because deleted files can no longer be restored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistorySettings"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password; `SKY2051` This needs your password, or a passkey */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041" | "SKY2051";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    operator_consent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether an operator may rewind the account, once, and until when. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorConsent"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    set_operator_consent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorConsentRequest"];
            };
        };
        responses: {
            /** @description Lets an operator rewind the account, once, for a limited time, or withdraws that. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorConsent"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    alarms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Devices that made unusually many changes in a short time, and what was decided about them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmList"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    allow_device: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllowRequest"];
            };
        };
        responses: {
            /** @description Lets a paused device continue. A device that is paused itself needs the credentials of a login for this. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmList"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password; `SKY2051` This needs your password, or a passkey */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041" | "SKY2051";
                    };
                };
            };
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    end_paused_session: {
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
            /** @description Logs out a paused device; if it is an app, its password is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmList"];
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
            404: components["responses"]["SKY3005"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    alarm_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limit at which a device is paused. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmSettings"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    set_alarm_limit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlarmChoice"];
            };
        };
        responses: {
            /** @description Chooses the limit at which a device is paused, or turns the alarm off. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmSettings"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2004` The password is wrong; `SKY2035` This account has no password, and its login is too old for this; `SKY2007` The code is wrong or was already used; `SKY2040` This passkey was not accepted; `SKY2042` The counter of this passkey went back: there may be a copy of it; `SKY2041` The passkey has not verified who uses it, so it cannot replace the password; `SKY2051` This needs your password, or a passkey */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2004" | "SKY2035" | "SKY2007" | "SKY2040" | "SKY2042" | "SKY2041" | "SKY2051";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY2045"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    plan_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewindPlanRequest"];
            };
        };
        responses: {
            /** @description The plan of a rewind, in pages. Nothing changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewindPlan"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY1010" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            410: components["responses"]["SKY1016"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    rewinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's latest rewinds, the newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewinds"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    start_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewindRequest"];
            };
        };
        responses: {
            /** @description Starts a rewind. It runs in the background and survives restarts of the server. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewind"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY1018"];
            410: components["responses"]["SKY1016"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rewind_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A rewind and its progress. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewind"];
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
            404: components["responses"]["SKY1017"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    rewind_problems: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                rewind_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a rewind could not undo, and why. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewindProblems"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            404: components["responses"]["SKY1017"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    cancel_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rewind_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stops a rewind; what it has done stays and can be undone. Does nothing if it has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewind"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY1017"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    undo_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rewind_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Undoes everything that a rewind has done, by another rewind. Later changes stay. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewind"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY1017"];
            405: components["responses"]["SKY1004"];
            409: components["responses"]["SKY1018"];
            410: components["responses"]["SKY1016"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    history_head: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed head of the log of all changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryHead"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history_consistency: {
        parameters: {
            query: {
                oldSize: number;
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof that the log continues an earlier one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofHashes"];
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
            404: components["responses"]["SKY1019"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history_inclusion: {
        parameters: {
            query: {
                /** @description the number of a change */
                number: number;
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof that the log has a change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofHashes"];
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
            404: components["responses"]["SKY1019"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history_leaves: {
        parameters: {
            query: {
                /** @description the number of a change */
                number: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Leaves of the log: the hashes of changes, and their records while they are kept. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryLeaves"];
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
            404: components["responses"]["SKY1019"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    history_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public keys that sign heads, former ones too, and when the server was restored from a backup. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysOfHistory"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Memories: pictures and videos from this day and this month in earlier years. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Objects that an app uploaded. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Recently used tags, as a bare array. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description An object's tags, as a bare array. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description File extensions that the web client can view and edit. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    tag_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tags, ordered by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Adds a tag to files and folders; each is tagged or refused separately. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    tagged_objects: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
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
            /** @description The objects with a tag, most recently tagged first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Renames a tag everywhere. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3030"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            409: components["responses"]["SKY3035"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3030"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Removes a tag from files and folders; an unused tag is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY3030` No such tag; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description The number of pictures and videos per month, newest first. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    timeline_objects: {
        parameters: {
            query: {
                /** @description `nextCursor` of the previous page */
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
            /** @description A month's pictures and videos, newest first, with their shapes and places. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelinePage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    favorites: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
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
            /** @description The favourites, newest first or by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    photo_facts: {
        parameters: {
            query: {
                /** @description 1 to 200 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description When and where pictures and videos were taken, and their shape. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhotoFactList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    photo_places: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pictures and videos whose place is known, in pages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhotoPlaceList"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description The user's share links, newest first, including expired and used up ones. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShares"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Creates a public link, to look at objects or to send files into a folder, with optional limits. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    board_shares: {
        parameters: {
            query?: {
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
            /** @description The user's public links to a board, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShares"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    add_board_share: {
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
                "application/json": components["schemas"]["NewBoardShareRequest"];
            };
        };
        responses: {
            /** @description Creates a public link to a board that the user owns, with optional limits. */
            201: {
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    board_guest_files: {
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
            /** @description Who added which files to a board without an account: the newest 1,000. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestFiles"];
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
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description One of the user's share links. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Changes a share link's name, rights, expiry, password or limits. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3001"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3001"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Creates a public link to one or more objects. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description A share link's public page. */
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
            /** @description `SKY3001` No such share link */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
            /** @description A share link's public page. */
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
            /** @description `SKY3001` No such share link */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
                    /** @description The content's MD5, in quotes. */
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
                    /** @description The content's MD5, in quotes. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
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
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
                    };
                };
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5004" | "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
                    /** @description The content's MD5, in quotes. */
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
                    /** @description The content's MD5, in quotes. */
                    ETag?: string;
                    /** @description When the content was last modified. */
                    "Last-Modified"?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description `attachment`, with the name in UTF-8. */
                    "Content-Disposition"?: string;
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3000` No such file or folder; `SKY3004` This file has no thumbnail */
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
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5000` Internal server error */
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
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
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
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` No such file or folder; `SKY3004` This file has no thumbnail */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
                /** @description 1 to 64 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contents of many small files in one response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    placeholders: {
        parameters: {
            query: {
                /** @description 1 to 200 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tiny pictures to show until thumbnails have loaded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Placeholders"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    create_archive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArchiveRequest"];
            };
        };
        responses: {
            /** @description Prepares one ZIP file of the given files and folders. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnArchive"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    download_archive: {
        parameters: {
            query?: never;
            header?: {
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                archive_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A prepared ZIP file, whole or in ranges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3029` No such archive; `SKY3000` No such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3029" | "SKY3000";
                    };
                };
            };
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY3027` The folders are nested too deep for a ZIP file */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3027";
                    };
                };
            };
            /** @description `SKY3028` A ZIP file can have 100,000 files and folders */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3028";
                    };
                };
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
                    };
                };
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5000` Internal server error */
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
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    download_archive_head: {
        parameters: {
            query?: never;
            header?: {
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                archive_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A prepared ZIP file, whole or in ranges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3029` No such archive; `SKY3000` No such file or folder */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3027` The folders are nested too deep for a ZIP file */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3028` A ZIP file can have 100,000 files and folders */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
            /** @description The user's boards. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description A board and its files. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description The members of a board. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Leaves a board. If the owner leaves, the oldest member becomes the owner; an empty board is deleted. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Adds the user's files to a board; each is added or refused separately. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Sets a board's cover. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Changes a board's name or description. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Removes files from a board: the user's own, or any if the user owns the board. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description A board's pending invitations and its join links. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2002` Permission denied */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Invites an email address; the response does not reveal whether it has an account. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3033` No such invitation */
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
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Creates a link with which anyone can join a board. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3033` No such invitation */
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
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Changes a member's role to editor, viewer or owner. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3034` No member with that key */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3034` No member with that key */
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
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    board_activity: {
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
            /** @description Who joined and left a board, and who added and removed files, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardActivity"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    board_contributors: {
        parameters: {
            query: {
                /** @description 1 to 200 keys of files, separated by commas */
                objectKeys: string;
            };
            header?: never;
            path: {
                board_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who added files to a board, and when. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardContributors"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "BRSOM0036" | "NMSOM0001" | "SKY1000" | "SKY1003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3002"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    board_comments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
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
            /** @description The comments on a board, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardComments"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Adds a comment to a board or to a file on it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardComment"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Edits one of the user's comments. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3032` No such comment in this album */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3032` No such comment in this album */
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
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    received_invitations: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's pending invitations to boards. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedInvitations"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Joins a board by an invitation or a link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Board"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY3037` The album's owner has removed you: a link does not bring you back, an invitation does */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY3037";
                    };
                };
            };
            404: components["responses"]["SKY3033"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
                    "application/json": components["schemas"]["DeclineAnswer"];
                };
            };
            /** @description `BRSOM0036` Content-Type header is not available; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY1003` Not a valid key */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3033"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description The contacts, paged by headers. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description The contacts' email addresses, paged by headers. */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Replaces a contact. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3031"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
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
            /** @description Removes contacts; each is removed or refused separately. */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3031"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Imports every card of a vCard file; each is imported or refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedContacts"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY3036` The vCard cannot be read */
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    export_contacts: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Exports contacts as vCards, ordered by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VcardExport"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
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
            /** @description Uploads a small file in one call: a field `metadataString` with JSON and a part `file`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY4004` The file does not match its announced MD5; `SKY1002` Not a valid name for a file or folder; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file; `SKY4005` The file does not match its announced size */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY4004" | "SKY1002" | "SKY1003" | "SKY3020" | "SKY4005";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3000` No such file or folder; `SKY3002` No such album */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY3010` The folder already has an item with that name; `SKY4009` The file has changed since that version */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4009";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full; `SKY4006` The file is larger than this server accepts */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007" | "SKY4006";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Uploads many small files in one call: a field `metadataString` with JSON, then a part `file` with the contents of all of them, one directly after the other. Each file succeeds or is refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManyUploaded"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY4004` The file does not match its announced MD5; `SKY1002` Not a valid name for a file or folder; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file; `SKY4005` The file does not match its announced size */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY4004" | "SKY1002" | "SKY1003" | "SKY3020" | "SKY4005";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY3010` The folder already has an item with that name; `SKY4009` The file has changed since that version */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4009";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full; `SKY4006` The file is larger than this server accepts */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007" | "SKY4006";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Starts or resumes an upload; returns the object at once if no byte is missing. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadProgress"] | components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY4004` The file does not match its announced MD5; `SKY1002` Not a valid name for a file or folder; `SKY1003` Not a valid key; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY1001" | "SKY4004" | "SKY1002" | "SKY1003" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3000` No such file or folder; `SKY3002` No such album; `SKY4000` No such upload */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3002" | "SKY4000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY3010` The folder already has an item with that name; `SKY4009` The file has changed since that version; `SKY4002` Another chunk of this upload is being received */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4009" | "SKY4002";
                    };
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full; `SKY4006` The file is larger than this server accepts */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007" | "SKY4006";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
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
            /** @description Sends the next chunk (200); the last one completes the file (201). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadProgress"];
                };
            };
            /** @description Sends the next chunk (200); the last one completes the file (201). */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudObject"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY4004` The file does not match its announced MD5; `SKY4005` The file does not match its announced size; `SKY4003` The chunk does not match the MD5 in its header */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1000" | "SKY4004" | "SKY4005" | "SKY4003";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3000` No such file or folder; `SKY3002` No such album; `SKY4000` No such upload */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3000" | "SKY3002" | "SKY4000";
                    };
                };
            };
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY3010` The folder already has an item with that name; `SKY4009` The file has changed since that version; `SKY4001` The chunk does not start where the upload ends; `SKY4002` Another chunk of this upload is being received */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY3010" | "SKY4009" | "SKY4001" | "SKY4002";
                    } & components["schemas"]["OffsetConflict"];
                };
            };
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have; `SKY4007` The account's storage is full */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008" | "SKY4007";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            415: components["responses"]["SKY1008"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    unfinished_uploads: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's unfinished uploads, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfinishedUploads"];
                };
            };
            /** @description `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    cancel_upload: {
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY4000"];
            405: components["responses"]["SKY1004"];
            413: components["responses"]["SKY4008"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    short_default_view: {
        parameters: {
            query: {
                /** @description 32 hexadecimal digits */
                folderKey: string;
                limit?: number;
                /** @description refused with `NMSOM0129` */
                type?: "f" | "w";
                sort?: "+createdDate" | "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-createdDate" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                /** @description `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A folder's contents. */
            200: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectListing"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description The version of this page, for `If-None-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1003` Not a valid key; `SKY1010` The cursor does not belong to this list; `NMSOM0129` provide valid value for folder(W) or file(F) search; `SKY3020` The key belongs to a file */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1003" | "SKY1010" | "NMSOM0129" | "SKY3020";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            403: components["responses"]["SKY2001"];
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    category: {
        parameters: {
            query: {
                mimeType: "audio" | "documents" | "others" | "photos" | "videos";
                limit?: number;
                sort?: "+createdDate" | "+fileCreatedDate" | "+lastModifiedDate" | "+objectName" | "+sizeInBytes" | "-createdDate" | "-fileCreatedDate" | "-lastModifiedDate" | "-objectName" | "-sizeInBytes";
                /** @description `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All files of one kind: photos, videos, documents, audio or others. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    object_info: {
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
            /** @description One object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectInfo"];
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    keyword: {
        parameters: {
            query?: {
                q?: string;
                limit?: number;
                /** @description `nextCursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Finds objects by words in their names, best match first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedPage"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1010` The cursor does not belong to this list */
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
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    trash_objects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrashRequest"];
            };
        };
        responses: {
            /** @description Moves objects to the trash; each is moved or refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrashAnswer"];
                };
            };
            /** @description `NMSOM0003` Content type is null or empty; `NMSOM0001` Accept language is null or empty; `SKY1000` A parameter, header or body is not valid; `SKY1001` The body is not valid JSON; `SKY3022` The root folder cannot be renamed, moved or trashed */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "NMSOM0003" | "NMSOM0001" | "SKY1000" | "SKY1001" | "SKY3022";
                    };
                };
            };
            401: components["responses"]["TEJGA0401"];
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050";
                    };
                };
            };
            404: components["responses"]["SKY3000"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    board_addition: {
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
                "application/json": components["schemas"]["AdditionRequest"];
            };
        };
        responses: {
            /** @description Adds the user's files to a board; each is added or refused separately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdditionAnswer"];
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
            /** @description `SKY2001` This application is not accepted; `SKY2050` This device is paused: it deleted, replaced or moved unusually much in a short time; `SKY2002` Permission denied */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY2001" | "SKY2050" | "SKY2002";
                    };
                };
            };
            /** @description `SKY3002` No such album; `SKY3000` No such file or folder */
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
            408: components["responses"]["SKY1013"];
            /** @description `SKY1005` The request body is too large; `SKY4008` The account has as many of these as it can have */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1005" | "SKY4008";
                    };
                };
            };
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
            507: components["responses"]["SKY5002"];
        };
    };
    refresh_token_by_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Renews a session: a new token at once, and the old one stops working after a minute. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshAnswer"];
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
            401: components["responses"]["TEJGA0401"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    refresh_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Renews a session: a new token at once, and the old one stops working after a minute. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshAnswer"];
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
            401: components["responses"]["TEJGA0401"];
            405: components["responses"]["SKY1004"];
            408: components["responses"]["SKY1013"];
            413: components["responses"]["SKY1005"];
            414: components["responses"]["SKY1015"];
            429: components["responses"]["SKY1007"];
            431: components["responses"]["SKY1014"];
            500: components["responses"]["SKY5000"];
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do; `SKY5005` The service is read-only for now */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003" | "SKY5005";
                    };
                };
            };
        };
    };
    short_download: {
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
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
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
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
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
                    };
                };
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5004" | "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    short_download_head: {
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
    metadata_download: {
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
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
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
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
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
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
            /** @description `SKY1004` This path does not support the method */
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
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1015";
                    };
                };
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY1014";
                    };
                };
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5004" | "SKY5000";
                    };
                };
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "SKY5001" | "SKY5003";
                    };
                };
            };
        };
    };
    metadata_download_head: {
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
            /** @description A file's content, whole or in ranges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A part of the content. */
            206: {
                headers: {
                    /** @description The range and the total size. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
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
            /** @description `SKY2001` This application is not accepted */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY3000` No such file or folder; `SKY3003` The file has no such version */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1004` This path does not support the method */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1015` The request's path and query are too long */
            414: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY1009` The range is outside the file */
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
            /** @description `SKY1014` The request's header fields are too large */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5004` The content of this file is damaged on the server; the operator has been informed; `SKY5000` Internal server error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `SKY5001` The server cannot reach its storage; `SKY5003` The server has too much to do */
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
}
