// Keeps a phone's screen on while it uploads: a page whose screen is off is stopped by the phone.

/** Keep the screen on until the returned function is called. Where the browser cannot, nothing happens. */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator) || !matchMedia('(pointer: coarse)').matches) return () => {};
  let isOver = false;
  let lock: WakeLockSentinel | undefined;

  async function take(): Promise<void> {
    if (isOver || document.visibilityState !== 'visible') return;
    // Refused when the battery is low.
    const taken = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isOver) await taken?.release();
    else lock = taken;
  }

  // The browser releases it when another app is shown.
  const again = (): void => void take();
  document.addEventListener('visibilitychange', again);
  void take();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', again);
    void lock?.release();
  };
}
