// The requests of the page's uploads. Content is sent with XMLHttpRequest, because fetch reports no upload progress.
import { DELETE, GET, POST } from '../api/client';
import { serverSettings } from '../app/server_settings';
import { sendWithProgress } from './send';
import { serverOver } from './server';

export const server = serverOver({ DELETE, GET, POST }, sendWithProgress, serverSettings);
