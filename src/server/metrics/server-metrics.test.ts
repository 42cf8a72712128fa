import { expect, it } from 'vitest';
import { createServerMetrics } from './server-metrics.ts';

it('shows what the server and the process did', () => {
  const metrics = createServerMetrics('1.2.3');
  const call = { transport: 'grpc', service: 'version.VersionService', method: 'Version' } as const;
  metrics.hooks.onConnectionOpened?.();
  metrics.hooks.onConnectionOpened?.();
  metrics.hooks.onConnectionClosed?.({ bytesRead: 10, bytesWritten: 20 });
  metrics.hooks.onCallStarted?.(call);
  metrics.hooks.onCallStarted?.(call);
  metrics.hooks.onCallFinished?.(call, { code: 16, durationMs: 3 });
  const watch = { transport: 'rest', service: 'application.ApplicationService', method: 'Watch' } as const;
  metrics.hooks.onCallStarted?.(watch);
  metrics.hooks.onCallFinished?.(watch, { code: 0, durationMs: 3 });
  metrics.hooks.onRefused?.('flood');
  metrics.countLogin('failure');
  metrics.countUncaughtError('rejection');

  const lines = metrics.render().split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'fairway_build_info{version="1.2.3"} 1',
      'fairway_connections 1',
      'fairway_connection_bytes_total{direction="written"} 20',
      'fairway_requests_in_progress 1',
      'fairway_requests_total{transport="grpc",service="version.VersionService",method="Version",code="Unauthenticated"} 1',
      'fairway_request_duration_seconds_bucket{transport="grpc",service="version.VersionService",method="Version",le="0.0025"} 0',
      'fairway_request_duration_seconds_bucket{transport="grpc",service="version.VersionService",method="Version",le="0.005"} 1',
      'fairway_refused_total{reason="flood"} 1',
      'fairway_logins_total{result="failure"} 1',
      'fairway_uncaught_errors_total{kind="rejection"} 1',
      'argocd_info{version="1.2.3"} 1',
      'argocd_login_request_total{status="failure"} 1',
      'argocd_login_request_total{status="success"} 0',
      'grpc_server_started_total{grpc_type="unary",grpc_service="version.VersionService",grpc_method="Version"} 2',
      'grpc_server_handled_total{grpc_type="unary",grpc_service="version.VersionService",grpc_method="Version",grpc_code="Unauthenticated"} 1',
      'grpc_server_handled_total{grpc_type="server_stream",grpc_service="application.ApplicationService",grpc_method="Watch",grpc_code="OK"} 1',
    ]),
  );
  const names = [
    'process_cpu_user_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
    'nodejs_active_resources',
  ];
  for (const name of names) expect(lines.some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))).toBe(true);
  // Every line is a comment or a sample with a number, as the format demands.
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? -?[\d.e+-]+)$/);
});
