// The service worker of the page, where the browser has such: only over TLS or on the same machine.
import { t } from '../words';
import { notices } from './notices.svelte';
import { trustedScript } from './trusted';

export function startServiceWorker(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  // The first one of a browser is no news.
  let hadOne = Boolean(workers.controller);
  workers.addEventListener('controllerchange', () => {
    if (hadOne) notices.say(t('app.update'), { label: t('app.reload'), run: () => location.reload() });
    hadOne = true;
  });
  // What it fetches ahead must not be in the way of what is being looked at.
  const register = (): void => void workers.register(trustedScript('/sw.js'), { scope: '/' }).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
