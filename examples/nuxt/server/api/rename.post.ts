export default defineEventHandler(async (event) => {
  await auth.requireSession(event)
  const form = new URLSearchParams(await readRawBody(event))
  await auth.update(event, { user: { name: form.get("name") } })
  return sendRedirect(event, "/account", 303)
})
