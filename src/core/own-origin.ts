/** Whether a page is ours: of PUBLIC_URL, or of the host that the request itself names. */
export const isOwnOrigin = (origin: string, host: string | undefined, publicUrl: string): boolean =>
  origin === new URL(publicUrl).origin || (host !== undefined && URL.parse(origin)?.host === host)
