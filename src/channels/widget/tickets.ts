/* biome-ignore-all lint: a stub */
const later = async (..._: unknown[]): Promise<any> => {
  throw new Error('not yet')
}
export const beginTicket = later
export const getVisitorTicket = later
export const listVisitorTickets = later
export const rateAsVisitor = later
export const readAsVisitor = later
