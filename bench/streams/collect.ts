/** Loaded into the measured server, to collect garbage before its memory is measured. */
process.on('SIGUSR2', () => globalThis.gc!())
