// Reloads what could not be loaded once the cause is gone, without anyone pressing a button.
import { ApiError, Unreachable, isTransient } from '../api/errors';
import { connection } from './connection.svelte';
import { session } from './session.svelte';

const TRANSIENT_MS = 5000;

export function retryWhenBack(problem: unknown, retry: () => void): void {
  if (problem instanceof Unreachable) void connection.restored().then(retry);
  else if (problem instanceof ApiError && problem.status === 401) void session.renewed().then(retry);
  else if (isTransient(problem)) setTimeout(retry, TRANSIENT_MS);
}
