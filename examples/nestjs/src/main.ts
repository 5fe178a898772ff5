import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import { AppModule } from "./app.module.js"

/** Both platforms trust a reverse proxy on the same machine. */
async function create() {
  if (process.env["PLATFORM"] === "fastify")
    return NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter({ trustProxy: "loopback" }))
  const app = await NestFactory.create<NestExpressApplication>(AppModule)
  app.set("trust proxy", "loopback")
  return app
}

const { PORT = "3000", HOST = "localhost" } = process.env
const app = await create()
await app.listen(Number(PORT), HOST)
console.log(`Harbor is at ${await app.getUrl()}`)
