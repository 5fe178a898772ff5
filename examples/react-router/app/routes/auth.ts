import { auth } from "../auth.server"

export const loader = auth.loader
export const action = auth.action
