/** No fetch adapter: axios takes XMLHttpRequest, which it prefers in a browser anyway. */
export const getFetch = () => false
