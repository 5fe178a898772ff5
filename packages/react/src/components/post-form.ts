/** Opens a page that expects a form. A URL that isn't of the web is ignored. */
export function postForm(url: string, fields: Readonly<Record<string, string>>): void {
  if (!/^https?:$/.test(new URL(url, location.href).protocol)) return
  const form = Object.assign(document.createElement("form"), { method: "post", action: url })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
  document.body.append(form)
  // A field named `submit` shadows the method.
  HTMLFormElement.prototype.submit.call(form)
}
