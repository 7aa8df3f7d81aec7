import { mount } from 'svelte';
import { prefetchHome } from './api/prefetch';
import App from './app/App.svelte';
import { watchConnection } from './app/connection.svelte';
import { router } from './app/router.svelte';
import { watchJoinLinks } from './boards/join_link';
import { startServiceWorker } from './app/service_worker';
import './design/base.css';
import { loadWords } from './words';

prefetchHome();
watchConnection();
router.start();
watchJoinLinks();
await loadWords();
mount(App, { target: document.getElementById('app')! });
if (import.meta.env.PROD) startServiceWorker();
