// Registers the service worker. Browsers offer them only over TLS or from localhost.
import { t } from '../words';
import { notices } from './notices.svelte';
import { at } from './place';
import { trustedScript } from './trusted';

export function startServiceWorker(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  // The first service worker is not an update.
  let isUpdate = Boolean(workers.controller);
  workers.addEventListener('controllerchange', () => {
    if (isUpdate) notices.show(t('app.update'), { label: t('app.reload'), run: () => location.reload() });
    isUpdate = true;
  });
  // Precaching must not compete with loading the page.
  const register = (): void => void workers.register(trustedScript(at('/sw.js')), { scope: at('/') }).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
