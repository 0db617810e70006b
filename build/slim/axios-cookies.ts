/** The session travels in a header: no cookie is read, so none is sent back as a token. */
const none = async () => null
export default { read: () => null, readAsync: none, write: () => undefined, remove: () => undefined }
