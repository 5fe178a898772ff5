import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { deserialize, type Document, serialize } from "bson"

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

export interface Listening {
  readonly server: Server
  readonly port: number
  stop(): Promise<void>
}

/** Listens for the wire protocol of MongoDB: OP_MSG, and OP_QUERY for the first message of a connection. */
export async function listen(
  execute: (command: Document, socket: Socket) => Document | undefined,
  wanted = 0,
): Promise<Listening> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => sockets.delete(socket))
    onMessages(socket, (message) => {
      const { requestId, reply, command } = parse(message)
      const response = execute(command, socket)
      if (response !== undefined && !socket.destroyed) socket.write(reply(requestId, response))
    })
  })
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { server, port, stop }
}

/** The first four bytes of a message are its length. */
function onMessages(socket: Socket, receive: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0)
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0)
      const message = pending.subarray(0, length)
      pending = pending.subarray(length)
      receive(message)
    }
  })
}

interface Parsed {
  readonly requestId: number
  readonly command: Document
  reply(to: number, response: Document): Buffer
}

function parse(message: Buffer): Parsed {
  const [requestId, code] = [message.readInt32LE(4), message.readInt32LE(12)]
  if (code === OP_MSG) return { requestId, command: commandOf(message), reply: opMessage }
  if (code !== OP_QUERY) throw new Error(`The stand-in has no op code ${code}`)
  const nameEnd = message.indexOf(0, 20)
  return { requestId, command: documentAt(message, nameEnd + 9), reply: opReply }
}

/** A body, and sequences of documents for one of its fields. */
function commandOf(message: Buffer): Document {
  const command: Document = {}
  let offset = 20
  while (offset < message.length) {
    const kind = message[offset]
    const size = message.readInt32LE(offset + 1)
    if (kind === 0) Object.assign(command, documentAt(message, offset + 1))
    else Object.assign(command, sequenceAt(message, offset + 5, offset + 1 + size))
    offset += 1 + size
  }
  return command
}

function sequenceAt(message: Buffer, start: number, end: number): Document {
  const nameEnd = message.indexOf(0, start)
  const documents: Document[] = []
  for (let offset = nameEnd + 1; offset < end; offset += message.readInt32LE(offset)) {
    documents.push(documentAt(message, offset))
  }
  return { [message.toString("utf8", start, nameEnd)]: documents }
}

function documentAt(message: Buffer, offset: number): Document {
  return deserialize(message.subarray(offset, offset + message.readInt32LE(offset)))
}

function opMessage(to: number, response: Document): Buffer {
  return withHeader(OP_MSG, to, Buffer.concat([Buffer.alloc(5), serialize(response)]))
}

function opReply(to: number, response: Document): Buffer {
  const fields = Buffer.alloc(20)
  fields.writeInt32LE(8, 0)
  fields.writeInt32LE(1, 16)
  return withHeader(OP_REPLY, to, Buffer.concat([fields, serialize(response)]))
}

function withHeader(code: number, to: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16)
  header.writeInt32LE(16 + body.length, 0)
  header.writeInt32LE(to, 8)
  header.writeInt32LE(code, 12)
  return Buffer.concat([header, body])
}
