import { auth } from "./auth"

export const { onRequest } = auth
