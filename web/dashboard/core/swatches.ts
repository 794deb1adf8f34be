/** Colours to begin with. */
export const swatches = ['#1a73e8', '#0f766e', '#15803d', '#b45309', '#be123c', '#7c3aed', '#475569']
