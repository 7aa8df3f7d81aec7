// Request errors: an error response from the server, or no response at all.

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | null;
  /** The whole body: some errors say more. */
  readonly body: unknown;

  constructor(status: number, code: string, message: string, retryAfter: number | null = null, body: unknown = null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  get isGone(): boolean {
    return this.status === 404;
  }

  get isRetryable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** The server could not be reached, or the connection was lost during the response. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'Unreachable';
  }
}

export function isTransient(problem: unknown): boolean {
  return problem instanceof Unreachable || (problem instanceof ApiError && problem.isRetryable);
}

/** The error of a response. A proxy's response may lack code and message. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { code?: string; message?: string } | null;
  const seconds = Number(response.headers.get('retry-after'));
  return new ApiError(
    response.status,
    body?.code ?? '',
    body?.message ?? '',
    Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    body,
  );
}
