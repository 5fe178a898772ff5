import type { RedirectStep } from "@latchkey/core/types"

/** Opens a page. A URL that would run a script is ignored. */
export function navigate(url: string): void {
  const target = webUrl(url)
  if (target === undefined) return
  const [from] = location.href.split("#")
  location.href = target
  // A new fragment alone doesn't load the page again, which has to show the new session.
  if (target.includes("#") && target.split("#")[0] === from) location.reload()
}

/** Opens the page of a redirect, with a form if the provider expects one. */
export function follow({ url, form: fields }: RedirectStep): void {
  if (fields === undefined) return navigate(url)
  const action = webUrl(url)
  if (action === undefined) return
  const form = document.createElement("form")
  form.method = "post"
  form.action = action
  for (const [name, value] of Object.entries(fields)) form.append(hiddenInput(name, value))
  document.body.append(form)
  // A field named `submit` shadows the method.
  HTMLFormElement.prototype.submit.call(form)
}

function hiddenInput(name: string, value: string): HTMLInputElement {
  return Object.assign(document.createElement("input"), { type: "hidden", name, value })
}

function webUrl(url: string): string | undefined {
  try {
    const { href, protocol } = new URL(url, location.href)
    return /^https?:$/.test(protocol) ? href : undefined
  } catch {
    return undefined
  }
}
