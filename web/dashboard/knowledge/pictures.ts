/** The description is in brackets, on one line. */
export const printPicture = (url: string, description: string): string =>
  `![${description
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[[\]\\]/g, '\\$&')}](${url})`

const own = /^\/api\/media\/([\da-f-]{36})$/i

/** Only people of the project see the pictures of an article that is not published, from an address of the dashboard. */
export const addressOfPicture = (projectId: string, src: string): string =>
  src.replace(own, `/api/dashboard/projects/${projectId}/media/$1?inline=true`)
