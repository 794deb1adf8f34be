/** A file in the body of a call, in place of JSON. */
export const asForm = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.append(name, value as Blob)
  return form
}
