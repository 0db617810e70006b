declare const self: ServiceWorkerGlobalScope

/** The global object of a service worker, which the types of a worker do not know by themselves. */
export const scope: ServiceWorkerGlobalScope = self
