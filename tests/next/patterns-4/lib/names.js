// What middleware needs too.
export const sessionCookie = "acme.session-token"

export const pages = { signIn: "/auth/login", signOut: "/auth/logout", error: "/auth/error" }
