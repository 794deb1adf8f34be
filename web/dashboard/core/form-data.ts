/** Turns a body into form data, for a call that sends a file. */
export const asForm = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.append(name, value as Blob)
  return form
}
