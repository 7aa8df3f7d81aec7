// The headers that every request sends besides the session cookie.
import { API_KEY, APP_SECRET } from './constants';

export const APP_HEADERS = { 'X-Api-Key': API_KEY, 'X-App-Secret': APP_SECRET } as const;

export function requestHeaders(): Record<string, string> {
  return { ...APP_HEADERS, 'Content-Type': 'application/json', 'Accept-Language': navigator.language || 'en' };
}
