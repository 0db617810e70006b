/** Address of the worker's script: at the root, so that its scope covers every page. */
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

/** Registers the worker and waits until it runs. Rejects where the browser has no workers or refuses this one. */
export async function registerPushWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(script, { scope: '/', updateViaCache: 'none' })
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (worker) await activated(worker)
  return registration
}
