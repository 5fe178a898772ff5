export { type RedisClient, redisRateLimit, type RedisRateLimitOptions } from "@latchkey/redis"
