import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/index.ts';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './design/overlays.css';
import { router } from './app/router.tsx';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no element to draw in');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
