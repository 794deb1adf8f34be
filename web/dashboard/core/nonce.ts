/** By which the page's policy knows the styles that are made while it runs. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
