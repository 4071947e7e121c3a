import Fastify from 'fastify';
import pg from 'pg';

// The least that a server on this stack is: what the product's memory is measured against.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = Fastify();
app.get('/readyz', async () => ({ ok: (await pool.query('select 1')).rowCount === 1 }));
process.on('SIGTERM', () => process.exit(0));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
