import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start"
import { auth } from "./auth.server"

// Without this file, Start adds it by itself.
const csrfMiddleware = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" })
const authMiddleware = createMiddleware().server(auth.middleware)

export const startInstance = createStart(() => ({ requestMiddleware: [csrfMiddleware, authMiddleware] }))
