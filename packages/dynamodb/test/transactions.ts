import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
import { request as send } from "node:http"
import { text } from "node:stream/consumers"

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Action {
  readonly TableName: string
  readonly Item?: Readonly<Record<string, unknown>>
  readonly Key?: Readonly<Record<string, unknown>>
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** Adds TransactWriteItems, which dynalite doesn't have. Other requests wait while one runs, so none of them sees a part of it. */
export function withTransactions(server: Server, keyNames: readonly string[]): void {
  const handlers = server.listeners("request") as Handler[]
  const handle: Handler = (request, response) => {
    for (const each of handlers) each(request, response)
  }
  let running: Promise<unknown> = Promise.resolve()
  server.removeAllListeners("request")
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers["x-part-of-transaction"] === "1") return handle(request, response)
    const isTransaction = String(request.headers["x-amz-target"]).endsWith("TransactWriteItems")
    if (!isTransaction) return void running.then(() => handle(request, response))
    running = running.then(async () => {
      const { status, body } = await transact(server, request, keyNames)
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(body)
    })
  })
}

async function transact(server: Server, request: IncomingMessage, keyNames: readonly string[]): Promise<Answer> {
  const { TransactItems } = JSON.parse(await text(request)) as { TransactItems: { Put?: Action; Delete?: Action }[] }
  const run = (operation: string, input: object) => ask(server, request.headers, operation, input)
  const undo: (() => Promise<Answer>)[] = []
  const codes = TransactItems.map(() => "None")
  for (const [at, { Put, Delete }] of TransactItems.entries()) {
    const action = Put ?? Delete
    if (!action) throw new Error("The stand-in knows Put and Delete only")
    const { TableName, Item, Key } = action
    const name = Key ?? Object.fromEntries(keyNames.map((each) => [each, Item?.[each]]))
    const before: { Item?: object } = JSON.parse((await run("GetItem", { TableName, Key: name })).body)
    const { status } = await run(Put ? "PutItem" : "DeleteItem", action)
    if (status === 200) {
      const restored = { TableName, Item: before.Item }
      undo.push(() => (before.Item ? run("PutItem", restored) : run("DeleteItem", { TableName, Key: name })))
      continue
    }
    codes[at] = "ConditionalCheckFailed"
    for (const each of undo.toReversed()) await each()
    const body = {
      __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
      CancellationReasons: codes.map((Code) => ({ Code })),
    }
    return { status: 400, body: JSON.stringify(body) }
  }
  return { status: 200, body: "{}" }
}

/** Asks the server itself, with the signature of the transaction, which dynalite doesn't verify. */
function ask(server: Server, headers: IncomingHttpHeaders, operation: string, input: object): Promise<Answer> {
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port")
  const body = JSON.stringify(input)
  const own = {
    authorization: headers.authorization,
    "x-amz-date": headers["x-amz-date"],
    "content-type": "application/x-amz-json-1.0",
    "content-length": Buffer.byteLength(body),
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "x-part-of-transaction": "1",
  }
  return new Promise((resolve, reject) => {
    const request = send({ port: address.port, host: "127.0.0.1", method: "POST", headers: own }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject)
    })
    request.on("error", reject)
    request.end(body)
  })
}
