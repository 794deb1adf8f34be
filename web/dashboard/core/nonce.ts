/** The nonce with which the page's policy allows styles that are created at run time. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
