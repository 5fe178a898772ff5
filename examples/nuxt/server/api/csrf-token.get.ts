export default defineEventHandler(async (event) => ({ csrfToken: await auth.csrfToken(event) }))
