import { createLogger } from 'vite'

const logger = createLogger('warn')

/** Vite's logger without its warnings about fonts, because the server serves these, and not the build. */
export const buildLogger: typeof logger = {
  ...logger,
  warnOnce: (message, options) => {
    if (!message.includes('/fonts/inter-')) logger.warnOnce(message, options)
  },
}
