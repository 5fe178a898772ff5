import type { Answer } from "./messages.js"

export function send(answer: Answer | Response): Response {
  if (answer instanceof Response) return answer
  const headers = { "content-type": "application/json", "cache-control": "no-store", ...answer.headers }
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
}
