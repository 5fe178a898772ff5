export default defineEventHandler(async (event) => {
  const { user } = await auth.requireSession(event)
  return { email: user.email, name: user.name }
})
