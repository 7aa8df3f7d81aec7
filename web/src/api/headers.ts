// What every call says beside its session, which is a cookie that no script can read.
import { API_KEY, APP_SECRET } from './constants';

export const APP_HEADERS = { 'X-Api-Key': API_KEY, 'X-App-Secret': APP_SECRET } as const;

export function callHeaders(): Record<string, string> {
  return { ...APP_HEADERS, 'Content-Type': 'application/json', 'Accept-Language': navigator.language || 'en' };
}
