export const credentials = {
  credentials: { username: { label: "Username" }, password: { label: "Password", type: "password" } },
  authorize: async ({ username, password }) =>
    password === "open sesame" ? { id: "1", name: username, email: "ada@users.test", role: "admin" } : null,
}

export const callbacks = {
  jwt({ token, user }) {
    if (user) {
      token.role = user.role
      // Too long for one cookie.
      if (user.name === "grace") token.groups = "g".repeat(4000)
    }
    return token
  },
  session({ session, token }) {
    session.user.role = token.role
    return session
  },
}
