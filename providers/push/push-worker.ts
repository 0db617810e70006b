/** Served from the root, so that the worker's scope covers every page. */
const script = '/push-sw.js'

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve()
      else if (worker.state === 'redundant') reject(new Error('The worker for notifications could not be started'))
    }
    worker.addEventListener('statechange', check)
    check()
  })
}

/** Registers the service worker and waits until it is active. Rejects when workers are unsupported or refused. */
export async function registerPushWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(script, { scope: '/', updateViaCache: 'none' })
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (worker) await activated(worker)
  return registration
}
