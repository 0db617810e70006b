/** Settings of a configuration that the server itself obeys: no board is asked to apply them, and none reports them. */
export const serverSettings = ['maintenanceWindow', 'warningOverrides', 'rawCaptureUntil'] as const
